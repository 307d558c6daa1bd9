// Files for browsers, prepared once in every encoding.

import { isExecutable } from '../base/executable.ts';
import { makeOnce } from '../base/one-at-a-time.ts';
import { anyone } from './access.ts';
import { DocumentHeaders, type PreparedDocument, prepareDocument, serveDocument } from './document.ts';
import { type Route, route } from './route.ts';

/** Headers of a page: scripts and styles only from this service, no forms, no framing. */
export function pageHeaders(imagesBesideOurs: readonly string[] = []): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ['img-src', "'self'", ...imagesBesideOurs].join(' '),
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': policy.join('; '),
    'Referrer-Policy': 'no-referrer',
    // Pages from other origins that open our page, or are opened by it, get no reference to it.
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  };
}

export function asset(contentType: string) {
  return { 'Content-Type': contentType, 'Cache-Control': 'no-cache' };
}

export function page(path: string, text: () => string | Promise<string>, headers: Record<string, string>): Route {
  return route({
    method: 'GET',
    path,
    operationId: undefined,
    access: anyone,
    tag: 'Service',
    summary: 'A file',
    headers: DocumentHeaders,
    answers: { 200: { description: 'The file' } },
    problems: [],
    handle: serveText(text, headers),
  });
}

export function serveText(text: () => string | Promise<string>, headers: Record<string, string>) {
  return serveAtFirstRequest(async () => prepareDocument(await text(), { ...headers, Vary: 'Accept-Encoding' }));
}

/** Prepares the document when it is first requested, because most processes never serve it. */
export function serveAtFirstRequest(prepare: () => Promise<PreparedDocument>) {
  const prepared = makeOnce(prepare);
  return async ({ headers: wanted }: { headers: DocumentHeaders }) => serveDocument(await prepared(), wanted);
}

/**
 * Returns the exports of a module that builds files when it is loaded: the console, or the client's package. The executable
 * contains these files. In a clone, building takes seconds, so another process does it and this one keeps answering
 * requests. `load` imports the module, so that the bundler finds it.
 */
export function builtModule<M>(url: URL, load: () => Promise<M>): () => Promise<M> {
  return makeOnce(() => (isExecutable ? load() : loadElsewhere<M>(url)));
}

async function loadElsewhere<M>({ href }: URL): Promise<M> {
  const program = `process.stdout.write(JSON.stringify(await import(${JSON.stringify(href)})))`;
  const child = Bun.spawn([process.execPath, '--no-env-file', '-e', program], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr] = await Promise.all([child.stdout, child.stderr].map((each) => new Response(each).text()));
  if ((await child.exited) !== 0) throw new Error(stderr);
  return JSON.parse(stdout ?? '') as M;
}
