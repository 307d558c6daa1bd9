// `frontdesk explain`: the identity that a sign-in with these claims would give, and why. Stores and sends nothing.
import { decodeJwt } from 'jose';
import { currentUser } from '../auth/people/current-user.ts';
import type { Claims } from '../auth/provider/claims.ts';
import { type Explanation, explainIdentity } from '../auth/provider/explanation.ts';
import type { MappedRole } from '../auth/provider/role-map.ts';
import { exitCodes } from '../base/exit-error.ts';
import { isObject } from '../base/guards.ts';
import type { Config } from '../config/config.ts';
import type { Arguments } from './arguments.ts';
import { CommandError, type CommandResult, readGivenFile, table } from './command.ts';
import { printable } from './printable.ts';

const refusedExit = 2;
const longestInput = 1024 * 1024;

export async function explain({ words: [path] }: Arguments, config: Config): Promise<CommandResult> {
  const { idToken, userinfo } = readClaims(readInput(path));
  const explanation = explainIdentity(idToken, userinfo, config);
  const text = describe(explanation, config);
  return 'refused' in explanation.outcome ? { text, exitCode: refusedExit } : text;
}

function readInput(path: string | undefined): string {
  const input = readGivenFile(path === undefined || path === '-' ? 0 : path, path ?? 'Standard input');
  if (input.length > longestInput) throw new CommandError('The claims are larger than 1 MiB.', exitCodes.wrongData);
  return input.toString().trim();
}

function readClaims(text: string): { idToken: Claims; userinfo: Claims } {
  const claims = parseClaims(text);
  if (!isObject(claims.idToken)) return { idToken: claims, userinfo: {} };
  return { idToken: claims.idToken, userinfo: isObject(claims.userinfo) ? claims.userinfo : {} };
}

function parseClaims(text: string): Claims {
  try {
    const parsed: unknown = text.startsWith('{') ? JSON.parse(text) : decodeJwt(text);
    if (isObject(parsed)) return parsed;
  } catch {
    // Reported below in our own words, because a parser's message may quote the claims.
  }
  throw new CommandError('This is neither a JSON object of claims nor an ID token.', exitCodes.wrongData);
}

function describe({ outcome, employeeId, roles, emptySources }: Explanation, config: Config): string {
  const lines: string[] = [];
  if (employeeId === undefined) {
    lines.push(`Employee ID: none in ${config.employeeIdClaims.join(', ')} (EMPLOYEE_ID_CLAIM)`);
  } else {
    const { id, source, origin, passedOver } = employeeId;
    lines.push(`Employee ID: ${printable(id)}, from ${source} (${origin})`);
    if (passedOver.length > 0) {
      lines.push(`  No usable value in the claims that EMPLOYEE_ID_CLAIM lists first: ${passedOver.join(', ')}`);
    }
  }
  lines.push('', 'Roles:');
  const rows = roles.map((role) => [role.theirs, `${role.source} (${role.origin})`, fate(role)]);
  lines.push(rows.length > 0 ? table(['at the provider', 'from', 'here'], rows).trimEnd() : 'none');
  if (emptySources.length > 0) lines.push(`No roles in ${emptySources.join(', ')}.`);
  if ('refused' in outcome) return `${lines.join('\n')}\n\nThe sign-in would be refused: ${outcome.refused}.\n`;
  const me = currentUser(outcome.identity, config.publicUrl);
  const empty = Object.entries(me).filter(([, value]) => value === '');
  if (empty.length > 0) lines.push('', `No claim contains: ${empty.map(([name]) => name).join(', ')}`);
  return `${lines.join('\n')}\n\nGET /auth/me would say:\n${JSON.stringify(me, null, 2)}\n`;
}

function fate({ theirs, role, by }: MappedRole): string {
  if (role === '') return `dropped by ${by}`;
  return role === theirs ? role : `${role}, renamed by ${by}`;
}
