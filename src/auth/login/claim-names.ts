// Lists the names of the claims that arrived in a refused sign-in, for the audit. Values are never listed. Pure.
import type { Claims } from '../provider/claims.ts';

const maxNames = 40;
const longestName = 60;

export function nameClaims(idToken: Claims, userinfo: Claims): string {
  return `ID token has ${listNames(idToken)}; userinfo has ${listNames(userinfo)}`;
}

function listNames(claims: Claims): string {
  const names = Object.keys(claims).sort();
  const rest = names.length - maxNames;
  const shown = names.slice(0, maxNames).map(shownName);
  return [...shown, ...(rest > 0 ? [`${rest} more`] : [])].join(', ') || 'nothing';
}

/** A name can be any string. One that could be mistaken for something else is quoted. */
function shownName(name: string): string {
  const cut = name.length > longestName ? `${name.slice(0, longestName)}…` : name;
  return /^[\w.:/-]+$/.test(cut) ? cut : JSON.stringify(cut).replaceAll(/[^ -~]/g, '?');
}
