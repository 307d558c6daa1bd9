// Every failure of a request, as one class.
import type { Fault, Problem } from './types.ts';

/** What a stronger sign-in has to request: options of signIn(). */
export interface Challenge {
  acrValues?: string;
  maxAge?: number;
}

interface FrontdeskErrorOptions {
  retryAfter?: number | undefined;
  challenge?: Challenge | undefined;
  cause?: unknown;
}

/** What went wrong, in the words of the service. `code` is the last part of the problem's type. */
export class FrontdeskError extends Error {
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  /** The service logs the request under this id. */
  readonly requestId: string;
  readonly errors: Fault[];
  /** Seconds to wait before trying again. */
  readonly retryAfter: number | undefined;
  /** If `code` is `stronger-sign-in-needed`. */
  readonly challenge: Challenge | undefined;
  /** The whole problem document. */
  readonly problem: Partial<Problem>;

  constructor(problem: Partial<Problem>, { retryAfter, challenge, cause }: FrontdeskErrorOptions = {}) {
    const { type = 'problems/network', title = 'No answer', detail = 'Frontdesk cannot be reached.' } = problem;
    super(`${title}: ${detail}`, { cause });
    this.name = 'FrontdeskError';
    this.code = type.replace(/^(.*\/)?problems\//, '');
    this.status = problem.status ?? 0;
    this.title = title;
    this.detail = detail;
    this.requestId = problem.instance?.replace(/^urn:uuid:/, '') ?? '';
    this.errors = problem.errors ?? [];
    this.retryAfter = retryAfter;
    this.challenge = challenge;
    this.problem = problem;
  }
}

/** No answer, or the connection broke while reading it. */
export const networkError = (cause: unknown) => new FrontdeskError({}, { cause });

export const asFrontdeskError = (cause: unknown) => (cause instanceof FrontdeskError ? cause : networkError(cause));

/** An answer that is not from Frontdesk, but for example from a proxy. */
export function unexpectedAnswer(status: number): FrontdeskError {
  return new FrontdeskError({
    type: 'problems/unexpected-answer',
    status,
    title: 'Unexpected answer',
    detail: `Something answered with status ${status} that was not Frontdesk.`,
  });
}

export const notSignedIn = () =>
  new FrontdeskError({
    type: 'problems/unauthorized',
    status: 401,
    title: 'Not signed in',
    detail: 'Sign in first.',
  });

/** The input of one person is never sent as another. */
export const otherPerson = () =>
  new FrontdeskError({
    type: 'problems/other-person',
    status: 401,
    title: 'Another person is signed in',
    detail: 'Somebody else has signed in with this browser. Nothing was sent.',
  });
