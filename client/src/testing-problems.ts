// The problems that the test Frontdesk returns. test/once/client-testing.test.ts checks that their texts match the service.
import type { Fault } from './types.ts';

const texts = {
  unauthorized: {
    status: 401,
    title: 'Sign-in required',
    detail: 'This resource needs an access token, in the header "Authorization: Bearer …".',
  },
  'invalid-token': {
    status: 401,
    title: 'Access token not valid',
    detail: 'The access token is not valid here, or its session has ended.',
  },
  'session-ended': {
    status: 401,
    title: 'Session expired',
    detail: 'Your session has expired or was ended. Sign in again.',
  },
  'stronger-sign-in-needed': {
    status: 401,
    title: 'Stronger sign-in needed',
    detail: 'This change needs a stronger or more recent sign-in than the one this access token comes from.',
  },
  forbidden: { status: 403, title: 'No permission', detail: "You don't have permission to do this." },
  'invalid-request': {
    status: 400,
    title: 'Request malformed',
    detail: 'The request cannot be understood as sent.',
  },
  'not-found': { status: 404, title: 'Not found', detail: 'There is nothing at this address.' },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    detail: 'Too many requests in a short time, or too many change streams open at once.',
    retryAfter: 60,
  },
  'storage-unavailable': {
    status: 503,
    title: 'Storage unavailable',
    detail: 'The database cannot be reached at the moment.',
    retryAfter: 5,
  },
  'idp-unavailable': {
    status: 503,
    title: 'Identity provider unavailable',
    detail: 'The identity provider cannot be reached at the moment.',
    retryAfter: 5,
  },
} as const satisfies Record<string, { status: number; title: string; detail: string; retryAfter?: number }>;

export type TestProblem = keyof typeof texts;

export const testProblems = Object.keys(texts) as TestProblem[];

export function problemAnswer(
  baseUrl: string,
  code: TestProblem,
  {
    errors,
    retryAfter,
    ...other
  }: { errors?: readonly Fault[] | undefined; retryAfter?: number | undefined; detail?: string } = {},
): Response {
  const text: { status: number; title: string; detail: string; retryAfter?: number } = texts[code];
  const { status, title } = text;
  const { detail = text.detail } = other;
  const seconds = retryAfter ?? text.retryAfter;
  const instance = `urn:uuid:${crypto.randomUUID()}`;
  const problem = { type: `${baseUrl}/problems/${code}`, title, status, detail, instance, ...(errors && { errors }) };
  return new Response(JSON.stringify(problem), {
    status,
    headers: {
      'Content-Type': 'application/problem+json',
      ...(seconds !== undefined && { 'Retry-After': String(seconds) }),
    },
  });
}
