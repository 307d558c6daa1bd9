// Errors as people and programs read them: RFC 9457 problem documents.
import { noStore } from './headers.ts';
import { type ProblemCode, problemTable } from './problem-table.ts';

/** RFC 6750 section 3: how each refusal of a bearer token is announced. */
const challenges: Partial<Record<ProblemCode, string>> = {
  unauthorized: '',
  'session-ended': '',
  'token-expired': ', error="invalid_token", error_description="The access token expired"',
  'invalid-token': ', error="invalid_token", error_description="The access token is invalid"',
  forbidden: ', error="insufficient_scope"',
};

export function bearerChallenge(parameters: string): string {
  return `Bearer realm="frontdesk"${parameters}`;
}

interface ProblemOptions {
  /** For the log only: the error behind it, of which name, code and frames are written, never the message. */
  cause?: unknown;
  /** For the log only: the reason, in a text that quotes nothing from outside. */
  reason?: string;
  /** For the audit only: who it is about. */
  about?: { person: string; subject: string };
  headers?: Record<string, string>;
  /** For the client: members of the document beyond the usual ones, like `errors`. */
  extension?: Record<string, unknown>;
}

/** Thrown anywhere, answered at the edge. What the client reads depends on the code alone. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly reason: string | undefined;
  readonly headers: Record<string, string>;
  readonly extension: Record<string, unknown>;
  readonly about: ProblemOptions['about'];

  constructor(code: ProblemCode, { cause, reason, about, headers = {}, extension = {} }: ProblemOptions = {}) {
    super(code, { cause });
    this.name = 'Problem';
    this.code = code;
    this.status = problemTable[code].status;
    this.reason = reason;
    this.headers = headers;
    this.extension = extension;
    this.about = about;
  }
}

const retryAfterSeconds: Partial<Record<ProblemCode, number>> = {
  'idp-unavailable': 5,
  'storage-unavailable': 5,
  'rate-limited': 60,
  'documents-busy': 2,
  'document-too-slow': 5,
};

export function problemHeaders(code: ProblemCode): Record<string, string> {
  const challenge = challenges[code];
  const retryAfter = retryAfterSeconds[code];
  return {
    'Content-Type': 'application/problem+json',
    ...noStore,
    ...(challenge !== undefined && { 'WWW-Authenticate': bearerChallenge(challenge) }),
    ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
  };
}

export function problemResponse(
  problem: Problem,
  publicUrl: string,
  requestId: string,
  everyAnswer: Record<string, string>,
): Response {
  const { status, title, detail } = problemTable[problem.code];
  const type = `${publicUrl}/problems/${problem.code}`;
  // RFC 9457 section 3.1.5 wants a URI, and RFC 9562 section 4 gives a UUID one.
  const instance = `urn:uuid:${requestId}`;
  return new Response(JSON.stringify({ type, title, status, detail, instance, ...problem.extension }), {
    status,
    headers: { ...everyAnswer, ...problemHeaders(problem.code), 'X-Request-Id': requestId, ...problem.headers },
  });
}
