// The sample people of the development identity provider, with the claims it sends for each.
import type { DevelopmentPerson } from '../config/development-people.ts';

export function samplePeople(issuer: string): DevelopmentPerson[] {
  return [
    {
      about: 'HR administrator',
      claims: {
        sub: 'E-1001',
        name: 'Ada Park',
        given_name: 'Ada',
        family_name: 'Park',
        email: 'ada.park@example.com',
        email_verified: true,
        phone_number: '+1 555 010 1001',
        roles: ['EMPLOYEE', 'LOOKUP_ADMIN'],
      },
    },
    {
      about: 'Manager',
      claims: {
        sub: 'E-1002',
        name: 'Samuel Okafor',
        given_name: 'Samuel',
        family_name: 'Okafor',
        email: 'samuel.okafor@example.com',
        email_verified: true,
        phone_number: '+1 555 010 1002',
        roles: ['EMPLOYEE', 'MANAGER'],
      },
    },
    {
      about: 'Employee with every field filled',
      claims: {
        sub: 'E-1003',
        name: 'Maria del Carmen Ruiz',
        given_name: 'Maria',
        middle_name: 'del Carmen',
        family_name: 'Ruiz',
        picture: `${issuer}/people/E-1003.svg`,
        email: 'maria.ruiz@example.com',
        email_verified: true,
        phone_number: '+1 555 010 1003',
        roles: ['EMPLOYEE'],
      },
    },
    { about: 'Employee for whom the provider sends only an ID', claims: { sub: 'E-1004' } },
    {
      about: 'Employee with a long name in another script',
      claims: {
        sub: 'E-1005',
        name: 'வெங்கடசுப்பிரமணியன் கிருஷ்ணமூர்த்தி இராமச்சந்திரன்',
        given_name: 'வெங்கடசுப்பிரமணியன்',
        middle_name: 'கிருஷ்ணமூர்த்தி',
        family_name: 'இராமச்சந்திரன்',
        email: 'v.k.ramachandran@example.com',
        email_verified: false,
        phone_number: '+1 555 010 1005',
        roles: ['EMPLOYEE'],
      },
    },
    {
      about: 'Auditor',
      claims: {
        sub: 'E-1006',
        name: 'Ines Duarte',
        given_name: 'Ines',
        family_name: 'Duarte',
        email: 'ines.duarte@example.com',
        email_verified: true,
        phone_number: '+1 555 010 1006',
        roles: ['EMPLOYEE', 'AUDITOR'],
      },
    },
  ];
}

export const portrait = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96" role="img">
<title>Portrait</title>
<rect width="96" height="96" fill="#f3d9c4"/>
<path d="M14 96c2-22 16-30 34-30s32 8 34 30z" fill="#7a4b8c"/>
<path d="M26 44c0-20 8-30 22-30s22 10 22 30c0 12-4 22-8 26H34c-4-4-8-14-8-26z" fill="#3a2a24"/>
<ellipse cx="48" cy="46" rx="16" ry="20" fill="#e0a982"/>
<path d="M32 42c6-2 14-6 18-14 4 8 8 12 14 14-1-14-6-22-16-22s-15 8-16 22z" fill="#3a2a24"/>
</svg>
`;
