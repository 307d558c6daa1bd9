// What every write of a list over HTTP shares: the version it was made from, who makes it, and how it is refused.
import type { Principal } from '../http/access.ts';
import { invalidBody } from '../http/body.ts';
import { noStore } from '../http/headers.ts';
import { Problem } from '../http/problem.ts';
import type { IncomingCall } from '../http/route.ts';
import { ChangeRefused } from './changes.ts';
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
    throw invalidBody(error.faults);
  }
}

/**
 * RFC 9110 section 13.1.1, with the version as a strong tag. A weak tag matches nothing; "*" names no version, and a
 * change has to be made from one.
 */
export function readIfMatch(request: Request): number {
  const header = request.headers.get('if-match')?.trim();
  if (header === undefined || header === '*') throw new Problem('version-required');
  const versions = header.split(',').map((tag) => /^(W\/)?"(0|[1-9]\d{0,8})"$/.exec(tag.trim()));
  if (versions.some((match) => match === null)) {
    throw invalidBody([{ field: 'If-Match', message: 'must be the version in quotes, like "7"' }]);
  }
  const strong = versions.filter((match) => match?.[1] === undefined).map((match) => Number(match?.[2]));
  // Of several, the newest is the one whose changes would be lost last.
  return strong.length === 0 ? noVersion : Math.max(...strong);
}

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
