// Decides who may read and keep which list. Provides the access rules that routes declare, and the checks per list that
// are used when an answer covers several lists.

import type { AuthenticationNeed } from '../../config/config.ts';
import { type AccessCheck, checkedBy, hasAnyRole, type Principal, withAnyRole } from '../../http/access.ts';
import { Problem } from '../../http/problem.ts';
import type { Standing } from '../rules/judging.ts';
import type { StoredList } from './list.queries.ts';
import { listNotFound } from './list-not-found.ts';

export interface ListRoles {
  /** Roles that may read lists that name no readers. If empty, every signed-in person may read such lists. */
  readRoles: readonly string[];
  /** Roles that may read and keep every list. */
  adminRoles: readonly string[];
  /** Roles that may see everything that administrators see, and plan changes. */
  planRoles: readonly string[];
  /** Roles that may read the audit of every list. They may therefore see everything that administrators see. */
  auditRoles: readonly string[];
}

export type ListRights = ReturnType<typeof createListRights>;

interface ListRightsOptions extends ListRoles {
  catalog: { get(list: string): StoredList | undefined; all(): StoredList[] };
  /** What a change requires in addition to the role. */
  keepNeed: AuthenticationNeed | undefined;
}

export function createListRights({
  catalog,
  readRoles,
  adminRoles,
  planRoles,
  auditRoles,
  keepNeed,
}: ListRightsOptions) {
  // Computed once for each version of a list, on first use.
  const readerRoles = new WeakMap<StoredList, ReadonlySet<string>>();

  function rolesThatRead(list: StoredList): ReadonlySet<string> {
    const known = readerRoles.get(list);
    if (known !== undefined) return known;
    const roles = new Set([...(list.readers ?? readRoles), ...(list.keepers ?? []), ...adminRoles]);
    readerRoles.set(list, roles);
    return roles;
  }

  /** Called for every read. For a list that is open to everybody, two comparisons are enough. */
  function reads({ roles }: Principal, list: StoredList): boolean {
    if (list.readers === null && readRoles.length === 0) return true;
    const permitted = rolesThatRead(list);
    return roles.some((role) => permitted.has(role));
  }

  /** Whether this person may keep every list, and change which roles may read and keep each one. */
  const mayKeepAll = (principal: Principal) => hasAnyRole(principal, adminRoles);
  const keeps = (principal: Principal, { keepers }: StoredList) => keepers !== null && hasAnyRole(principal, keepers);
  const mayReadAny = (principal: Principal) => catalog.all().some((list) => !list.archived && reads(principal, list));
  const mayKeepAny = (principal: Principal) =>
    mayKeepAll(principal) || catalog.all().some((list) => keeps(principal, list));
  /** Whether this person may plan changes to every list. */
  const mayPlanAll = (principal: Principal) => mayKeepAll(principal) || hasAnyRole(principal, planRoles);
  const maySeeAll = (principal: Principal) => mayPlanAll(principal) || hasAnyRole(principal, auditRoles);

  /** Whether this person sees any list under /admin. */
  const maySeeAny = (principal: Principal) => maySeeAll(principal) || mayKeepAny(principal);

  function standingOf(principal: Principal, name: string): Standing {
    const list = catalog.get(name);
    if (list === undefined) return 'unknown-list';
    if (!reads(principal, list)) return 'forbidden';
    return list.archived ? 'archived' : 'readable';
  }

  const checkReading = (principal: Principal, name: string) => {
    const standing = standingOf(principal, name);
    if (standing === 'readable') return;
    // People who may read no list do not learn whether this one exists.
    throw standing === 'forbidden' || !mayReadAny(principal) ? new Problem('forbidden') : listNotFound({ list: name });
  };

  /** Uses only the lists in memory. A new list may already be in the database but not in memory yet. */
  const checkKeeping =
    (hasAll: (principal: Principal) => boolean): AccessCheck =>
    (principal, params) => {
      if (hasAll(principal)) return;
      const list = catalog.get(params.list ?? '');
      if (list !== undefined && keeps(principal, list)) return;
      throw list === undefined && mayKeepAny(principal) ? listNotFound(params) : new Problem('forbidden');
    };

  const checkThat =
    (isPermitted: (principal: Principal) => boolean): AccessCheck =>
    (principal) => {
      if (!isPermitted(principal)) throw new Problem('forbidden');
    };

  const ofCatalog = (name: string, isPermitted: (list: StoredList) => boolean) => {
    const list = catalog.get(name);
    return list !== undefined && isPermitted(list);
  };

  return {
    standingOf,
    /** Depends only on roles, so it can be true even for an archived list. */
    mayRead: (principal: Principal, name: string) => ofCatalog(name, (list) => reads(principal, list)),
    /** Whether this person may see the list's values and name them as parents of items in other lists. */
    mayName: (principal: Principal, name: string) =>
      maySeeAll(principal) || ofCatalog(name, (list) => reads(principal, list)),
    /** Whether this person sees the list under /admin. */
    maySee: (principal: Principal, name: string) =>
      maySeeAll(principal) || ofCatalog(name, (list) => keeps(principal, list)),
    mayKeep: (principal: Principal, name: string) =>
      mayKeepAll(principal) || ofCatalog(name, (list) => keeps(principal, list)),
    maySeeAny,
    /** Whether this person may plan changes to the list. */
    mayPlan: (principal: Principal, name: string) =>
      mayPlanAll(principal) || ofCatalog(name, (list) => keeps(principal, list)),
    mayPlanAll,
    mayKeepAll,
    /** Access to read this list, or the list in the path if none is given. */
    readersOf: (list?: string) => checkedBy((principal, params) => checkReading(principal, list ?? params.list ?? '')),
    /** Access for people who may read at least one list. */
    readers: checkedBy(checkThat(mayReadAny)),
    /** Access to see the list in the path under /admin. */
    viewersOfList: checkedBy(checkKeeping(maySeeAll)),
    /** Access to change the list in the path under /admin. */
    keepersOfList: checkedBy(checkKeeping(mayKeepAll), keepNeed),
    viewers: checkedBy(checkThat(maySeeAny)),
    planners: checkedBy(checkThat((principal) => mayPlanAll(principal) || mayKeepAny(principal))),
    keepers: checkedBy(checkThat(mayKeepAny), keepNeed),
    admins: withAnyRole(adminRoles, keepNeed),
  };
}
