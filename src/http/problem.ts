// Errors as people and programs read them: RFC 9457 problem documents.

import { z } from 'zod';
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
  /** For the log only: the underlying error. Its name, code and stack frames are logged, never its message. */
  cause?: unknown;
  /** For the log only: the reason, without quoting any input. */
  reason?: string;
  /** For the log only: the provider's own explanation, bounded and without control characters. */
  providerText?: string | undefined;
  /** For the audit only: whom it concerns, and the names of the claims that arrived. */
  about?: { person?: string; subject?: string; claims?: string };
  headers?: Record<string, string>;
  /** For the client: replaces the usual text of this code. */
  detail?: string;
  /** For the client: additional members of the document, such as `errors`. */
  extension?: Record<string, unknown>;
}

/** Thrown anywhere, answered at the edge. What the client reads depends on the code, not on the cause. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly reason: string | undefined;
  readonly providerText: string | undefined;
  readonly headers: Record<string, string>;
  readonly detail: string;
  readonly extension: Record<string, unknown>;
  about: ProblemOptions['about'];

  constructor(
    code: ProblemCode,
    { cause, reason, providerText, about, headers = {}, detail, extension = {} }: ProblemOptions = {},
  ) {
    super(code, { cause });
    this.name = 'Problem';
    this.code = code;
    this.status = problemTable[code].status;
    this.reason = reason;
    this.providerText = providerText;
    this.headers = headers;
    this.detail = detail ?? problemTable[code].detail;
    this.extension = extension;
    this.about = about;
  }
}

const retryAfterSeconds: Partial<Record<ProblemCode, number>> = {
  'idp-unavailable': 5,
  'issuer-unavailable': 5,
  'storage-unavailable': 5,
  starting: 5,
  'rate-limited': 60,
  'documents-busy': 2,
  'document-too-slow': 5,
};

/** How a route's errors are written: as problem documents, or in OAuth's format. */
export type ProblemFormat = 'problem' | 'oauth';

export const problemTypes = { problem: 'application/problem+json', oauth: 'application/json' } as const;

export function problemHeaders(code: ProblemCode): Record<string, string> {
  const challenge = challenges[code];
  const retryAfter = retryAfterSeconds[code];
  return {
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
  format: ProblemFormat,
): Response {
  const { code, status, extension } = problem;
  const body = format === 'oauth' ? oauthError(code, publicUrl) : problemDocument(problem, publicUrl, requestId);
  return new Response(JSON.stringify({ ...body, ...extension }), {
    status,
    headers: {
      ...everyAnswer,
      'Content-Type': problemTypes[format],
      ...problemHeaders(code),
      'X-Request-Id': requestId,
      ...problem.headers,
    },
  });
}

function problemDocument({ code, status, detail }: Problem, publicUrl: string, requestId: string) {
  const { title } = problemTable[code];
  const type = `${publicUrl}/problems/${code}`;
  // RFC 9457 section 3.1.5 requires a URI, and RFC 9562 section 4 defines one for UUIDs.
  return { type, title, status, detail, instance: `urn:uuid:${requestId}` };
}

/** OAuth's error codes (RFC 6749 section 5.2). All others are `invalid_request`, or `temporarily_unavailable` for 5xx. */
const errors: Partial<Record<ProblemCode, string>> = {
  'unsupported-grant': 'unsupported_grant_type',
  'assertion-rejected': 'invalid_grant',
  'rate-limited': 'temporarily_unavailable',
  'internal-error': 'server_error',
};

export function oauthError(code: ProblemCode, publicUrl: string) {
  const { status, detail } = problemTable[code];
  return {
    error: errors[code] ?? (status >= 500 ? 'temporarily_unavailable' : 'invalid_request'),
    // The description must not contain quotation marks.
    error_description: detail.replaceAll('"', "'"),
    error_uri: `${publicUrl}/problems/${code}`,
    code,
  };
}

// The schemas in the contract. Other members are allowed, since later versions may add some.
const FieldError = z
  .object({
    field: z
      .string()
      .meta({ description: 'The field, as a path of names; empty for the whole request', example: 'label' }),
    message: z.string().meta({ description: 'What is wrong with it', example: 'must be text' }),
    line: z.int().optional().meta({ description: 'Line of the fault in a document' }),
    column: z.int().optional().meta({ description: 'Column of the fault in that line' }),
  })
  .meta({ id: 'FieldError', description: 'One fault of a request' });

export const ProblemDocument = z
  .object({
    type: z.url().meta({ description: 'Address of a page that explains this problem' }),
    title: z.string().meta({ description: 'The problem in a few words' }),
    status: z.int().meta({ description: 'The HTTP status' }),
    detail: z.string().meta({ description: 'What happened' }),
    instance: z.url().meta({ description: 'The request ID, as a URN. The log contains the same ID' }),
    errors: z.array(FieldError).optional().meta({ description: 'Every fault of the request, by field' }),
    moreErrors: z.boolean().optional().meta({ description: 'Whether there are more faults than are listed' }),
  })
  .meta({ id: 'Problem', description: 'RFC 9457 problem document' });

export const OAuthError = z
  .object({
    error: z.string().meta({ description: 'The OAuth error code', example: 'invalid_grant' }),
    error_description: z.string().meta({ description: 'What happened' }),
    error_uri: z.url().meta({ description: 'Address of a page that explains this problem' }),
    code: z.string().meta({ description: 'The exact problem code', example: 'assertion-rejected' }),
    errors: z.array(FieldError).optional().meta({ description: 'Every fault of the request, by field' }),
  })
  .meta({ id: 'OAuthError', description: 'RFC 6749 section 5.2' });
