// Every failure of a request, as one class.
import type { Fault, Problem } from './types.ts';

/** The options of signIn() that request a stronger sign-in. */
export interface Challenge {
  acrValues?: string;
  maxAge?: number;
}

interface FrontdeskErrorOptions {
  retryAfter?: number | undefined;
  challenge?: Challenge | undefined;
  cause?: unknown;
}

/** What went wrong, with the texts of the service. `code` is the last part of the problem's type. */
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
  /** Set only if `code` is `stronger-sign-in-needed`. */
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

/** There was no answer, or the connection broke while reading it. `problem`: what else is known. */
export const networkError = (cause: unknown, problem: Partial<Problem> = {}) => new FrontdeskError(problem, { cause });

export const asFrontdeskError = (cause: unknown) => (cause instanceof FrontdeskError ? cause : networkError(cause));

/** A refusal by the client itself. */
const refusal = (code: string, status: number, title: string, detail: string) =>
  new FrontdeskError({ type: `problems/${code}`, status, title, detail });

/** For an answer that does not come from Frontdesk but from something else, such as a proxy. */
export const unexpectedAnswer = (status: number) =>
  refusal('unexpected-answer', status, 'Unexpected answer', `The answer with status ${status} is not from Frontdesk.`);

export const notSignedIn = () => refusal('unauthorized', 401, 'Not signed in', 'Sign in first.');

/** The input of one person is never sent in the name of another. */
export const otherPerson = () =>
  refusal(
    'other-person',
    401,
    'Another person is signed in',
    'Another person has signed in with this browser. Nothing was sent.',
  );

export const noBrowser = () =>
  refusal(
    'no-browser',
    400,
    'Not in a browser',
    'Signing in and out opens a page. Programs use assertion or accessToken.',
  );

export const invalidReturn = () =>
  refusal('invalid-return', 400, 'Return address not allowed', 'returnTo must be a short address of this origin.');
