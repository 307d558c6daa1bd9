// Maps the provider's roles to ours. Pure.
import type { Config } from '../../config/config.ts';

export type RoleMaps = Pick<Config, 'roleMap' | 'presetRoleMap'>;

export interface MappedRole {
  /** The provider's name for the role. */
  theirs: string;
  /** Our name for the role; empty if the role is dropped. */
  role: string;
  /** The setting that renamed or dropped the role. */
  by?: 'ROLE_MAP' | 'OIDC_PRESET';
}

/** ROLE_MAP takes precedence, so it can keep what the preset would drop. */
export function mapRole(theirs: string, { roleMap, presetRoleMap }: RoleMaps): MappedRole {
  const own = lookUp(theirs, roleMap);
  if (own !== undefined) return { theirs, role: own, by: 'ROLE_MAP' };
  const preset = lookUp(theirs, presetRoleMap);
  return preset === undefined ? { theirs, role: theirs } : { theirs, role: preset, by: 'OIDC_PRESET' };
}

/** A prefix ending in `*` can only drop roles. An exact name takes precedence over it. */
function lookUp(theirs: string, map: ReadonlyMap<string, string>): string | undefined {
  const exact = map.get(theirs);
  if (exact !== undefined) return exact;
  const isDropped = [...map.keys()].some((name) => name.endsWith('*') && theirs.startsWith(name.slice(0, -1)));
  return isDropped ? '' : undefined;
}
