// The development provider's pages: pick a person, and sign out.

import type { DevelopmentPerson } from '../config/development-people.ts';
import css from '../http/pages/frontdesk.css' with { type: 'text' };

const ownCss = `
.people { display: grid; gap: .6rem; margin: 1.5rem 0 0; padding: 0; list-style: none; }
.people button { width: 100%; padding: .8rem 1rem; border: 1px solid var(--line); border-radius: 8px; background: none;
  color: inherit; font: inherit; text-align: start; cursor: pointer; overflow-wrap: anywhere; }
.people button:hover { border-color: var(--accent); }
.people strong { display: block; }
.people span { color: var(--quiet); font-size: .92rem; }
.strength { display: grid; gap: .4rem; margin: 1.5rem 0 0; padding: .8rem 1rem; border: 1px solid var(--line); border-radius: 8px; }
`;
const style = css + ownCss;

export const pagePolicy = `default-src 'none'; img-src data:; style-src 'sha256-${Bun.SHA256.hash(style, 'base64')}'; base-uri 'none'; frame-ancestors 'none'`;

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Development provider</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<main class="sheet">
<p class="eyebrow">Development identity provider</p>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
}

/** `offered` are the classes of authentication that the application asks for. */
export function pickingPage(people: readonly DevelopmentPerson[], offered: readonly string[], action: string): string {
  const items = people.map(({ about, claims: { sub, name } }) => {
    const title = typeof name === 'string' ? `${name} · ${sub}` : sub;
    return `<li><button name="person" value="${Bun.escapeHTML(sub)}"><strong>${Bun.escapeHTML(title)}</strong><span>${Bun.escapeHTML(about)}</span></button></li>`;
  });
  return page(
    'Who is signing in?',
    `<p>These people are samples. In production, your company’s own sign-in page is shown here.</p>
<form method="post" action="${Bun.escapeHTML(action)}">
${strengthChoice(offered)}<ul class="people">
${items.join('\n')}
</ul>
</form>`,
  );
}

/** Lets the developer choose the class that the sign-in gets: a requested one, or none, to see a refusal. */
function strengthChoice(offered: readonly string[]): string {
  if (offered.length === 0) return '';
  const choices = [...offered.map((acr) => [acr, `Stronger: ${acr}`]), ['', 'Password only']];
  const inputs = choices.map(
    ([acr = '', label = ''], index) =>
      `<label><input type="radio" name="acr" value="${Bun.escapeHTML(acr)}"${index === 0 ? ' checked' : ''}> ${Bun.escapeHTML(label)}</label>`,
  );
  return `<fieldset class="strength"><legend>The application asks for a stronger sign-in</legend>${inputs.join('')}</fieldset>
`;
}

/** `form` comes from oidc-provider and has the id `op.logoutForm`. Submitting it with `logout` ends the session. */
export function signOutPage(form: string): string {
  return page(
    'Sign out here too?',
    `<p>You are signed out of the application, but still signed in at this provider.</p>
${form}
<p><button class="button" form="op.logoutForm" name="logout" value="yes">Sign out</button></p>`,
  );
}

export function signedOutPage(): string {
  return page('Signed out', '<p>You may close this page.</p>');
}

export function failedPage(error: string): string {
  return page('Something went wrong', `<p>${Bun.escapeHTML(error)}</p><p>Start again from the application.</p>`);
}

export function welcomePage(): string {
  return page('Development sign-in', '<p>Start the sign-in from the application.</p>');
}
