// EMPLOYEE_ID_CLAIM may name `sub` after other claims. Where those do not arrive, people get the provider's subject as
// their employee ID, and nothing fails: it is logged.
import type { Config } from '../../config/config.ts';
import type { Log } from '../../telemetry/log.ts';
import { type Claims, claimOf, findEmployeeId, mergeClaims } from '../provider/claims.ts';

/** Where one person has it, many do. */
const pauseMs = 3_600_000;

interface FallbackOptions {
  config: Pick<Config, 'employeeIdClaims'>;
  log: Log;
  now: () => Date;
}

/** Writes the names of the claims that did not arrive, and nothing of the person. */
export function createFallbackWarning({ config: { employeeIdClaims: sources }, log, now }: FallbackOptions) {
  const before = sources.findIndex((source) => claimOf(source) === 'sub');
  const names = sources.slice(0, Math.max(before, 0));
  let warnedAt = Number.NEGATIVE_INFINITY;
  return (idToken: Claims, userinfo: Claims): void => {
    if (names.length === 0 || now().getTime() - warnedAt < pauseMs) return;
    if (findEmployeeId(mergeClaims(idToken, userinfo), names) !== undefined) return;
    warnedAt = now().getTime();
    log.warn({ missing: names }, 'the employee ID is the subject: claims of EMPLOYEE_ID_CLAIM did not arrive');
  };
}
