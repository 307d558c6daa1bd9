// Files for browsers: prepared once, with their encodings and names.
import { anyone } from './access.ts';
import { type PreparedDocument, prepareDocument, serveDocument } from './document.ts';
import { type Route, route } from './route.ts';

export function asset(contentType: string) {
  return { 'Content-Type': contentType, 'Cache-Control': 'no-cache' };
}

export function page(path: string, text: () => string | Promise<string>, headers: Record<string, string>): Route {
  return route({
    method: 'GET',
    path,
    access: anyone,
    tag: 'Service',
    summary: 'A file',
    answers: { 200: { description: 'The file' } },
    problems: [],
    unlisted: true,
    handle: served(text, headers),
  });
}

/** Prepared at the first request: most processes never show these. */
export function served(text: () => string | Promise<string>, headers: Record<string, string>) {
  let prepared: Promise<PreparedDocument> | undefined;
  return async ({ request }: { request: Request }) => {
    prepared ??= Promise.resolve(text()).then((ready) =>
      prepareDocument(ready, { ...headers, Vary: 'Accept-Encoding' }),
    );
    return serveDocument(await prepared, request);
  };
}
