// The pages of a trial sign-in, as HTML. All input is escaped.

import { codeOf } from '../../base/guards.ts';
import { providerClockToleranceSeconds } from '../../config/token-times.ts';
import { htmlPage } from '../../http/pages/pages.ts';
import type { Problem } from '../../http/problem.ts';
import { problemTable } from '../../http/problem-table.ts';
import { currentUser } from '../people/current-user.ts';
import type { Claims } from '../provider/claims.ts';
import type { Explanation } from '../provider/explanation.ts';
import { shownTime, shownValue } from './shown-value.ts';
import type { TrialResult } from './trial.ts';

const eyebrow = '<p class="eyebrow">Frontdesk · trial sign-in</p>';
const text = (value: string) => Bun.escapeHTML(value);
const code = (value: string) => `<code>${text(value)}</code>`;

export function introductionPage(issuer: string, start: string): string {
  return sheet('Try a sign-in', '../', [
    `<p>You will sign in at ${code(shownValue(issuer))}. Then this page shows what the provider says about you, and what Frontdesk makes of it.</p>`,
    '<ul><li>Only you see it, in this browser.</li><li>None of it is stored or logged.</li><li>You will not be signed in to Frontdesk.</li></ul>',
    `<p><a class="button" href="${text(start)}">Sign in</a></p>`,
    '<p class="quiet">This works once. Whoever sent you this address does not see what the page shows, unless you show it to them.</p>',
  ]);
}

export function failurePage(problem: Problem, root: string): string {
  const { title, detail, advice } = problemTable[problem.code];
  const reason = problem.reason ?? codeOf(problem.cause);
  return sheet(title, root, [
    `<p>${text(detail)}</p>`,
    ...(reason === undefined ? [] : [`<p>For the operator: ${text(shownValue(String(reason)))}.</p>`]),
    '<h2>What to do</h2>',
    `<p>${text(advice)}</p>`,
    `<p class="quiet">Problem ${code(problem.code)}. Nothing was stored.</p>`,
  ]);
}

export function resultPage(result: TrialResult, publicUrl: string): string {
  const { idToken, userinfo, explanation, clockLeadSeconds, refusal } = result;
  return sheet(refusal === undefined ? 'This sign-in works' : 'This sign-in would be refused', '../../', [
    refusal === undefined
      ? '<p>With these claims you would be signed in as shown below.</p>'
      : `<p class="refusal"><strong>Reason:</strong> ${text(refusal)}.</p>`,
    describeClock(clockLeadSeconds),
    '<h2>Employee ID</h2>',
    describeEmployeeId(explanation),
    '<h2>Roles</h2>',
    describeRoles(explanation),
    ...describeUser(explanation, publicUrl),
    '<h2>Claims of the ID token</h2>',
    describeClaims(idToken),
    '<h2>Claims of userinfo</h2>',
    describeClaims(userinfo),
    '<p class="quiet">You are not signed in to Frontdesk. None of this was stored or logged. It is gone when you close the page.</p>',
  ]);
}

function sheet(title: string, root: string, parts: string[]): string {
  const body = `<main class="sheet">\n${eyebrow}\n<h1>${text(title)}</h1>\n${parts.join('\n')}\n</main>`;
  return htmlPage({ title: `${text(title)} · Frontdesk`, root, body });
}

/** A smaller difference is not reported, because issuing and sending a token takes a moment. */
const unremarkableSeconds = 5;

function describeClock(leadSeconds: number): string {
  const seconds = Math.abs(leadSeconds);
  if (seconds < unremarkableSeconds) return '<p class="quiet">The provider\'s clock agrees with ours.</p>';
  const direction = leadSeconds > 0 ? 'ahead of' : 'behind';
  return `<p class="refusal">The provider's clock is ${seconds} s ${direction} ours; ${providerClockToleranceSeconds} s are tolerated.</p>`;
}

function describeEmployeeId({ employeeId }: Explanation): string {
  if (employeeId === undefined)
    return '<p>None of the claims in <code>EMPLOYEE_ID_CLAIM</code> holds an employee ID.</p>';
  const { id, source, origin, passedOver } = employeeId;
  const found = `<p>${code(shownValue(id))} from ${code(source)} (${origin})</p>`;
  if (passedOver.length === 0) return found;
  const names = passedOver.map((name) => code(name)).join(', ');
  return `${found}\n<p class="refusal"><code>EMPLOYEE_ID_CLAIM</code> names ${names} first, but the provider did not send a usable value.</p>`;
}

const maxRows = 200;
const more = (count: number) => (count > maxRows ? `\n<p class="quiet">and ${count - maxRows} more</p>` : '');

function describeRoles({ roles, emptySources }: Explanation): string {
  const rows = roles.slice(0, maxRows).map(({ theirs, source, origin, role, by = '' }) => {
    const here = role === '' ? `dropped by ${code(by)}` : code(shownValue(role));
    const renamed = role !== '' && role !== theirs ? `, renamed by ${code(by)}` : '';
    return `<tr><td>${code(shownValue(theirs))}</td><td>${code(source)} (${origin})</td><td>${here}${renamed}</td></tr>`;
  });
  const head = '<tr><th scope="col">at the provider</th><th scope="col">from</th><th scope="col">here</th></tr>';
  const found =
    rows.length === 0 ? '<p>none</p>' : `<table>\n${head}\n${rows.join('\n')}\n</table>${more(roles.length)}`;
  if (emptySources.length === 0) return found;
  return `${found}\n<p class="quiet">No roles in ${emptySources.map((source) => code(source)).join(', ')}.</p>`;
}

function describeUser({ outcome }: Explanation, publicUrl: string): string[] {
  if ('refused' in outcome) return [];
  const { roles, ...fields } = currentUser(outcome.identity, publicUrl);
  const rows = Object.entries({ ...fields, roles: roles.join(', ') }).map(([name, value]) =>
    row(name, value === '' ? '<em>empty: no claim contains it</em>' : text(shownValue(value))),
  );
  return ['<h2>What <code>GET /auth/me</code> would say</h2>', `<dl>\n${rows.join('\n')}\n</dl>`];
}

function describeClaims(claims: Claims): string {
  const entries = Object.entries(claims);
  if (entries.length === 0) return '<p>none</p>';
  const rows = entries.slice(0, maxRows).map(([name, value]) => {
    const time = shownTime(name, value);
    return row(name, `${text(shownValue(value))}${time === undefined ? '' : ` <span class="quiet">${time}</span>`}`);
  });
  return `<dl>\n${rows.join('\n')}\n</dl>${more(entries.length)}`;
}

const row = (name: string, value: string) => `<dt>${text(shownValue(name))}</dt><dd>${value}</dd>`;
