// The HTML pages of the service. Only the API page has a script.
import { type ProblemCode, problemTable } from '../problem-table.ts';

interface PageOptions {
  title: string;
  lang?: 'en' | 'de';
  /** Path from the page to the service's root. */
  root: string;
  head?: string;
  body: string;
}

/** Escapes nothing, so the caller must escape each part. */
export function htmlPage({ title, lang = 'en', root, head = '', body }: PageOptions): string {
  return `<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="${root}docs/icon.svg">
${head}<link rel="stylesheet" href="${root}docs/frontdesk.css">
</head>
<body>
${body}
</body>
</html>
`;
}

export function docsPage(signInUrl: string): string {
  const button = `<a class="button" id="sign-in" data-state-prefix="${statePrefix}" href="${Bun.escapeHTML(signInUrl)}">Sign in</a>`;
  return htmlPage({
    title: 'Frontdesk API',
    root: '',
    head: '<link rel="stylesheet" href="docs/swagger-ui.css">\n',
    body: `<header class="bar"><strong>Frontdesk API</strong><p id="status" role="status"></p>${button}</header>
<main id="api"></main>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/docs.js"></script>`,
  });
}

export function problemPage(code: ProblemCode): string {
  const { status, title, detail, advice } = problemTable[code];
  return htmlPage({
    title: `${title} · Frontdesk`,
    root: '../',
    body: `<main class="sheet">
<p class="eyebrow">Frontdesk problem <code>${code}</code>, status ${status}</p>
<h1>${title}</h1>
<p>${Bun.escapeHTML(detail)}</p>
<h2>What to do</h2>
<p>${Bun.escapeHTML(advice)}</p>
<p><a href="../docs">API docs</a></p>
</main>`,
  });
}

/** Prefix of the `state` of every sign-in from /auth/login. client/src/sign-in.ts has the same value; a test compares them. */
export const statePrefix = 'fd1.';
