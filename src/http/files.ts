// Files for browsers: prepared once, in every encoding.
import { makeOnce } from '../config/one-at-a-time.ts';
import { anyone } from './access.ts';
import { DocumentHeaders, type PreparedDocument, prepareDocument, serveDocument } from './document.ts';
import { type Route, route } from './route.ts';

/** Headers of a page: scripts and styles only from this service's files, no forms, and no frame around it. */
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
    // A page that opened one of ours, or was opened by it, keeps no reference to it.
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

/** Prepared at the first request: most processes never serve these. */
export function serveAtFirstRequest(prepare: () => Promise<PreparedDocument>) {
  const prepared = makeOnce(prepare);
  return async ({ headers: wanted }: { headers: DocumentHeaders }) => serveDocument(await prepared(), wanted);
}
