// What every write of a list over HTTP shares: the version it was made from, who makes it, and how it is refused.
import type { Principal } from '../http/access.ts';
import { invalidRequest } from '../http/body.ts';
import { noStore } from '../http/headers.ts';
import { Problem } from '../http/problem.ts';
import type { IncomingCall } from '../http/route.ts';
import { ChangeRefused } from './change.ts';
import { inDisplayOrder } from './display-order.ts';
import type { Author, StoredList } from './lookup.queries.ts';

/** Refusals of the plan, as problems. */
export async function attempt<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof ChangeRefused)) throw error;
    if (error.kind === 'not-found') throw new Problem('not-found');
    if (error.kind === 'exists') throw new Problem('already-exists', { extension: { errors: error.faults } });
    throw invalidRequest(error.faults);
  }
}

/**
 * RFC 9110 section 13.1.1, with the version as the tag. Versions are compared, not texts: a proxy that compresses makes
 * `W/"7"` or `"7-gzip"` of our `"7"`. Any other tag is no version of ours; "*" names none, and a change has to be made
 * from one.
 */
export function readIfMatch(request: Request): number {
  const header = request.headers.get('if-match')?.trim();
  if (header === undefined || header === '*') throw new Problem('version-required');
  if (!tagList.test(header)) {
    throw invalidRequest([{ field: 'If-Match', message: 'must be the version in quotes, like "7"' }]);
  }
  const versions = [...header.matchAll(/"(0|[1-9]\d{0,8})(?:-(?:gzip|br|zstd))?"/g)].map(([, version]) =>
    Number(version),
  );
  // Of several, the newest is the one whose changes would be lost last.
  return Math.max(noVersion, ...versions);
}

const tagList = /^(?:W\/)?"[^"]*"(?:\s*,\s*(?:W\/)?"[^"]*")*$/;

/** The version of no list. */
const noVersion = 0;

export type AuthorCall = Pick<IncomingCall, 'requestId' | 'address'> & { principal: Principal };

export function authorFrom(
  { principal, requestId, address }: AuthorCall,
  reason: string | undefined,
  at: Date,
): Author {
  return { by: principal.employeeId, reason, at, session: principal.sessionId, address, requestId };
}

export function stateResponse({ updatedAt: _, ...list }: StoredList, status: number): Response {
  const state = { ...list, items: inDisplayOrder(list.items) };
  return Response.json(state, { status, headers: { ...noStore, ETag: `"${list.version}"` } });
}
