import css from '../../console/console.css' with { type: 'text' };
import { asset, page, pageHeaders } from './files.ts';
import type { Route } from './route.ts';

const documentFor = (home: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Frontdesk</title>
<link rel="icon" href="docs/icon.svg">
<link rel="stylesheet" href="docs/frontdesk.css">
<link rel="stylesheet" href="console/console.css">
<script type="module" src="console/console.js"></script>
</head>
<body>
<div id="console" data-home="${Bun.escapeHTML(home)}"></div>
<noscript><main class="sheet"><h1>Frontdesk</h1><p>This page needs JavaScript. So do the <a href="docs">API docs</a>; the API itself does not.</p></main></noscript>
</body>
</html>
`;

export function consoleRoutes(publicUrl: string): Route[] {
  // The provider may keep people's pictures on any host; a page loaded over HTTPS loads them over HTTPS only.
  const html = pageHeaders(publicUrl.startsWith('https:') ? ['https:'] : ['https:', 'http:']);
  return [
    page('/', () => documentFor(`${publicUrl}/`), html),
    page('/console/console.css', () => css, asset('text/css; charset=utf-8')),
    page(
      '/console/console.js',
      async () => (await import('../../console/console-script.ts')).consoleScript,
      asset('text/javascript; charset=utf-8'),
    ),
  ];
}
