// Turns every error into a Problem, a log line and an answer.
import { describeError } from '../telemetry/log.ts';
import type { EdgeOptions } from './edge.ts';
import { pageHeaders } from './files.ts';
import { noStore } from './headers.ts';
import { Problem, type ProblemFormat, problemResponse } from './problem.ts';

export interface Refusals {
  toProblem(error: unknown): Problem;
  /**
   * Logs the error, and answers with a problem document unless the route has a different format, or `page` makes a page for a
   * person.
   */
  respond(
    error: unknown,
    requestId: string,
    format?: ProblemFormat,
    page?: ((problem: Problem) => string) | undefined,
  ): Response;
}

export function createRefusals({ publicUrl, everyAnswer, isStorageAway, log }: EdgeOptions): Refusals {
  function toProblem(error: unknown): Problem {
    if (error instanceof Problem) return error;
    return new Problem(isStorageAway(error) ? 'storage-unavailable' : 'internal-error', { cause: error });
  }

  return {
    toProblem,
    respond(error, requestId, format = 'problem', page) {
      const problem = toProblem(error);
      log[levelOf(problem)]({ requestId, ...describeError(problem) }, 'refused');
      const answer = problemResponse(problem, publicUrl, requestId, everyAnswer, format);
      if (page === undefined) return answer;
      for (const [name, value] of Object.entries({ ...pageHeaders(), ...noStore })) answer.headers.set(name, value);
      return new Response(page(problem), answer);
    },
  };
}

/** A client's own faults are logged at debug, unless there is a reason that the operator should see. */
function levelOf(problem: Problem): 'error' | 'warn' | 'info' | 'debug' {
  if (problem.status === 500 || problem.code === 'idp-configuration') return 'error';
  if (problem.status > 500) return 'warn';
  const { reason, cause, providerText } = problem;
  return [reason, cause, providerText].every((each) => each === undefined) ? 'debug' : 'info';
}
