// What a role of the provider's is called here. Pure.
import type { Config } from '../../config/config.ts';

export type RoleMaps = Pick<Config, 'roleMap' | 'presetRoleMap'>;

export interface MappedRole {
  /** As the provider calls it. */
  theirs: string;
  /** As it is called here; empty where it is dropped. */
  role: string;
  /** What renamed or dropped it. */
  by?: 'ROLE_MAP' | 'OIDC_PRESET';
}

/** ROLE_MAP comes first: it can keep what the preset would drop. */
export function mapRole(theirs: string, { roleMap, presetRoleMap }: RoleMaps): MappedRole {
  const own = lookUp(theirs, roleMap);
  if (own !== undefined) return { theirs, role: own, by: 'ROLE_MAP' };
  const preset = lookUp(theirs, presetRoleMap);
  return preset === undefined ? { theirs, role: theirs } : { theirs, role: preset, by: 'OIDC_PRESET' };
}

/** A whole name counts before the beginning of one, which `*` ends and which only drops. */
function lookUp(theirs: string, map: ReadonlyMap<string, string>): string | undefined {
  const exact = map.get(theirs);
  if (exact !== undefined) return exact;
  const isDropped = [...map.keys()].some((name) => name.endsWith('*') && theirs.startsWith(name.slice(0, -1)));
  return isDropped ? '' : undefined;
}
