// The programs that the service delivers: the console, and the package that applications install.
import { z } from 'zod';
import { anyone } from './access.ts';
import { DocumentHeaders, prepareOnce } from './document.ts';
import { asset, builtModule, page, pageHeaders, serveAtFirstRequest, serveText } from './files.ts';
import { Problem } from './problem.ts';
import { optionalHeader, type Route, route } from './route.ts';

/**
 * The id of the link keeps react-aria from adding a style element, which our policy would block. The rule in that element is
 * in console.css instead.
 */
const documentFor = (home: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Frontdesk</title>
<link rel="icon" href="docs/icon.svg">
<link rel="stylesheet" href="docs/frontdesk.css">
<link id="react-aria-pressable-style" rel="stylesheet" href="console/console.css">
<script type="module" src="console/main.js"></script>
</head>
<body>
<div id="console" data-home="${Bun.escapeHTML(home)}"></div>
<noscript><main class="sheet"><h1>Frontdesk</h1><p>This page needs JavaScript. So do the <a href="docs">API docs</a>; the API itself does not.</p></main></noscript>
</body>
</html>
`;

const loadConsole = builtModule(
  new URL('../../console/console-files.ts', import.meta.url),
  () => import('../../console/console-files.ts'),
);

const FileParams = z.object({ file: z.string().regex(/^[a-z0-9.-]+\.(js|css)$/) });

export function consoleRoutes(publicUrl: string): Route[] {
  // The provider may keep people's pictures on any host; a page loaded over HTTPS loads them over HTTPS only.
  const html = pageHeaders(publicUrl.startsWith('https:') ? ['https:'] : ['https:', 'http:']);
  return [page('/', () => documentFor(`${publicUrl}/`), html), fileRoute()];
}

/** The console's built files. A page opened before an upgrade may request one that is gone. */
function fileRoute(): Route {
  const serving = new Map<string, ReturnType<typeof serveText>>();
  return route({
    method: 'GET',
    path: '/console/{file}',
    operationId: undefined,
    access: anyone,
    tag: 'Service',
    summary: 'A file',
    params: FileParams,
    headers: DocumentHeaders,
    answers: { 200: { description: 'The file' } },
    problems: ['not-found'],
    async find({ file }) {
      const { consoleFiles } = await loadConsole();
      return Object.hasOwn(consoleFiles, file) ? consoleFiles[file] : undefined;
    },
    handle({ params: { file }, found: text, headers }) {
      let serve = serving.get(file);
      if (serve === undefined) {
        serve = serveText(() => text, headersOf(file));
        serving.set(file, serve);
      }
      return serve({ headers });
    },
  });
}

/** The name of a `part-` file contains the hash of its content, so browsers may cache it forever. */
function headersOf(file: string): Record<string, string> {
  const type = file.endsWith('.css') ? 'text/css' : 'text/javascript';
  return {
    'Content-Type': `${type}; charset=utf-8`,
    'Cache-Control': file.startsWith('part-') ? 'public, max-age=31536000, immutable' : 'no-cache',
  };
}

const loadTarball = builtModule(
  new URL('../../client/tarball.ts', import.meta.url),
  () => import('../../client/tarball.ts'),
);

/** npm accepts an address in place of a name. */
export function clientRoutes(publicUrl: string): Route[] {
  const path = '/client/frontdesk-client.tgz';
  return [
    route({
      method: 'GET',
      path,
      operationId: 'getClientPackage',
      access: anyone,
      tag: 'Service',
      summary: 'The client as an npm package',
      description: `\`npm install ${publicUrl}${path}\` installs the client for browsers, Node and Bun, in this service's version.`,
      headers: DocumentHeaders.extend({ 'If-None-Match': optionalHeader('The ETag of the package you have') }),
      answers: {
        200: { description: 'The package', content: { 'application/gzip': z.string().meta({ format: 'binary' }) } },
        304: { description: 'Not modified' },
      },
      problems: ['not-found'],
      handle: serveAtFirstRequest(async () => {
        const { clientTarball } = await loadTarball();
        if (clientTarball === '') throw new Problem('not-found');
        return prepareOnce(Uint8Array.from(Buffer.from(clientTarball, 'base64')), asset('application/gzip'));
      }),
    }),
  ];
}
