// Opens sessions directly in the database, without a sign-in.
import type { NewSession } from '../../src/auth/login/sign-in.queries.ts';

export const at = (seconds: number) => new Date(Date.UTC(2027, 0, 1) + seconds * 1000);

export const newSession = (sid: string, subject: string, employeeId: string): NewSession => ({
  sid,
  issuer: 'https://idp.example',
  identity: {
    subject,
    employeeId,
    profile: {
      name: 'Ada Park',
      givenName: 'Ada',
      middleName: undefined,
      familyName: 'Park',
      picture: undefined,
      email: 'ada@example.com',
      emailVerified: true,
      phoneNumber: '',
    },
    roles: ['EMPLOYEE'],
    providerSessionId: `p-${sid}`,
    authentication: { amr: [] },
  },
  times: { from: at(0), until: at(3600), idleEndsAt: undefined, expiresAt: at(3600) },
  flow: 'bound',
  browserName: undefined,
  caller: { requestId: 'r1', address: '127.0.0.1' },
});
