// Explains the result of readIdentity source by source: why a person is refused, or where the employee ID and the roles come
// from. Pure.
import {
  type ClaimSettings,
  type Claims,
  claimOf,
  findEmployeeId,
  findRoles,
  type Identity,
  mergeClaims,
  readIdentity,
} from './claims.ts';
import type { MappedRole } from './role-map.ts';

export interface Explanation {
  /** The identity that the claims describe, or why they are refused. */
  outcome: { identity: Identity } | { refused: string };
  /** Where the employee ID was found, and which sources listed before that one did not have it. */
  employeeId: { source: string; origin: Origin; id: string; passedOver: string[] } | undefined;
  roles: ({ source: string; origin: Origin } & MappedRole)[];
  /** Sources in ROLE_CLAIMS that yielded no role. */
  emptySources: string[];
}

type Origin = 'ID token' | 'userinfo';

export function explainIdentity(idToken: Claims, userinfo: Claims, settings: ClaimSettings): Explanation {
  const claims = mergeClaims(idToken, userinfo);
  const originOf = (source: string): Origin => {
    const name = claimOf(source);
    return claims[name] === idToken[name] ? 'ID token' : 'userinfo';
  };
  const found = findEmployeeId(claims, settings.employeeIdClaims);
  const roles = findRoles(claims, settings);
  return {
    outcome: readIdentity(idToken, userinfo, settings),
    employeeId: found && {
      ...found,
      origin: originOf(found.source),
      passedOver: settings.employeeIdClaims.slice(0, settings.employeeIdClaims.indexOf(found.source)),
    },
    roles: roles.map((each) => ({ ...each, origin: originOf(each.source) })),
    emptySources: settings.roleClaims.filter((source) => !roles.some((each) => each.source === source)),
  };
}
