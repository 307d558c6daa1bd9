// The smallest server that gives the guarantees of a list request whose token was seen before: one credential in the
// header, looked up and not expired, no query, no body, one host, an answer prepared beforehand with the same headers.
import { readFileSync } from 'node:fs';

const { LIST_FILE = '', TOKEN = '', PORT, LIST_HEADERS = '{}' } = process.env;
const expiries = new Map([[`Bearer ${TOKEN}`, Date.now() + 4 * 3600 * 1000]]);
const answer = new Response(readFileSync(LIST_FILE), { headers: JSON.parse(LIST_HEADERS) });
const refuse = () => new Response(null, { status: 400 });

function serveList({ headers, url }: Request): Response {
  const expiry = expiries.get(headers.get('authorization') ?? '');
  if (expiry === undefined || expiry < Date.now()) return refuse();
  if (url.includes('?') || headers.has('transfer-encoding') || headers.has('content-length')) return refuse();
  if (headers.get('host')?.includes(',') !== false) return refuse();
  return answer.clone() as Response;
}

Bun.serve({
  port: Number(PORT),
  hostname: '127.0.0.1',
  routes: { '/employee/position': { GET: serveList } },
  fetch: refuse,
});
