// The smallest server that gives the same guarantees as Frontdesk for a list request with a known token. The header must
// have exactly one token, which is looked up and must not have expired. A request with a query, a body or several hosts is
// refused. The list is prepared in advance, with the same headers as Frontdesk's, and is compressed if the client accepts
// that. The answer is 304 if the client already has the list.
import { readFileSync } from 'node:fs';

const { LIST_FILE = '', TOKEN = '', PORT, LIST_HEADERS = '{}' } = process.env;
const expiries = new Map([[`Bearer ${TOKEN}`, Date.now() + 4 * 3600 * 1000]]);
const list = readFileSync(LIST_FILE);
const headers: Record<string, string> = JSON.parse(LIST_HEADERS);
const answer = new Response(list, { headers });
const gzipped = new Response(Bun.gzipSync(list), { headers: { ...headers, 'content-encoding': 'gzip' } });
const unchanged = new Response(null, { status: 304, headers });
const refuse = () => new Response(null, { status: 400 });

function serveList({ headers: sent, url }: Request): Response {
  const expiry = expiries.get(sent.get('authorization') ?? '');
  if (expiry === undefined || expiry < Date.now()) return refuse();
  if (url.includes('?') || sent.has('transfer-encoding') || sent.has('content-length')) return refuse();
  if (sent.get('host')?.includes(',') !== false) return refuse();
  const accepted = sent.get('accept-encoding');
  if (sent.get('if-none-match') === headers.etag) return unchanged.clone() as Response;
  return (accepted?.includes('gzip') ? gzipped : answer).clone() as Response;
}

Bun.serve({
  port: Number(PORT),
  hostname: '127.0.0.1',
  routes: { '/employee/position': { GET: serveList } },
  fetch: refuse,
});
