// What every write of a list over HTTP shares: the version it was made from, who makes it, and how it is refused.
import { z } from 'zod';
import type { Principal } from '../../http/access.ts';
import { faultsIn, invalidRequest } from '../../http/parse.ts';
import { Problem } from '../../http/problem.ts';
import type { IncomingCall } from '../../http/route.ts';
import { ChangeRefused } from '../rules/change.ts';
import { listNotFound } from '../stored/list-not-found.ts';
import type { Author } from './version.queries.ts';

/** Refusals of the plan, as problems. `params` are those of the path. */
export async function attempt<T>(params: { list: string; value?: string }, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof ChangeRefused)) throw error;
    if (error.kind === 'not-found') throw listNotFound(params);
    if (error.kind === 'exists') throw new Problem('already-exists', { extension: { errors: error.faults } });
    throw invalidRequest(error.faults);
  }
}

const tagList = /^(?:W\/)?"[^"]*"(?:\s*,\s*(?:W\/)?"[^"]*")*$/;

/** The version of no list. */
const noVersion = 0;

/** Of several, the newest is the one whose changes would be lost last. */
function newestVersion(tags: string): number {
  const versions = tags.matchAll(/"(0|[1-9]\d{0,8})(?:-(?:gzip|br|zstd))?"/g);
  return Math.max(noVersion, ...Array.from(versions, ([, version]) => Number(version)));
}

/**
 * RFC 9110 section 13.1.1, with the version as the tag. Versions are compared, not texts: a proxy that compresses makes
 * `W/"7"` or `"7-gzip"` of our `"7"`. Any other tag is no version of ours; "*" names none, and counts as missing: a
 * change has to be made from one.
 */
export const VersionHeader = z.object({
  'If-Match': z
    .preprocess(
      (header) => (header === '*' ? undefined : header),
      z
        .string()
        .refine((header) => tagList.test(header), 'must be the version in quotes, like "7"')
        .transform(newestVersion),
    )
    .meta({ description: 'The ETag of the version the change was made from', minLength: 1 }),
});

export function refuseVersion(faults: z.ZodError): Problem {
  const isMissing = faults.issues.some(({ code }) => code === 'invalid_type');
  return isMissing ? new Problem('version-required') : invalidRequest(faultsIn(faults));
}

type AuthorCall = Pick<IncomingCall, 'requestId' | 'address'> & { principal: Principal };

export function authorFrom(
  { principal, requestId, address }: AuthorCall,
  reason: string | undefined,
  at: Date,
  may: Pick<Author, 'mayKeepAll' | 'mayName'>,
): Author {
  return { by: principal.employeeId, reason, at, ...may, session: principal.sessionId, address, requestId };
}
