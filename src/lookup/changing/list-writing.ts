// What all list changes over HTTP share: the version they are based on, their author, and how they are refused.
import { z } from 'zod';
import type { Principal } from '../../http/access.ts';
import { faultsIn, invalidRequest } from '../../http/parse.ts';
import { Problem } from '../../http/problem.ts';
import type { IncomingCall } from '../../http/route.ts';
import { ChangeRefused } from '../rules/change.ts';
import { listNotFound } from '../stored/list-not-found.ts';
import type { Author } from './version.queries.ts';

/** Turns a refused plan into a problem. `params` are the parameters of the path. */
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

/** No list has this version. */
const noVersion = 0;

/** If the header has several tags, the newest version counts. */
function newestVersion(tags: string): number {
  const versions = tags.matchAll(/"(0|[1-9]\d{0,8})(?:-(?:gzip|br|zstd))?"/g);
  return Math.max(noVersion, ...Array.from(versions, ([, version]) => Number(version)));
}

/**
 * The header If-Match (RFC 9110 section 13.1.1), with the version of the list as the tag. Compares the version numbers,
 * because a compressing proxy turns our `"7"` into `W/"7"` or `"7-gzip"`. Other tags match no version. "*" counts as a
 * missing header, because a change must say which version it is based on.
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
    .meta({ description: 'The ETag of the version that the change is based on', minLength: 1 }),
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
