// Creates the load if wrk is not installed. Reads its options from the argument, and prints its results, both as JSON.
import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';

const { url, headers, connections, seconds, tokensFile, manyDays } = JSON.parse(process.argv[2]);
const path = new URL(url).pathname;
const tokens = tokensFile === undefined ? [] : readFileSync(tokensFile, 'utf8').trim().split('\n');
const two = (n) => String(n).padStart(2, '0');
let n = 0;
// All connections share one counter, so that each request takes the next token or day.
function setupRequest(request) {
  n++;
  if (manyDays) request.path = `${path}?asOf=20${30 + (n % 60)}-${two(1 + (n % 12))}-${two(1 + (n % 28))}`;
  if (tokens.length > 0) request.headers = { ...request.headers, authorization: `Bearer ${tokens[n % tokens.length]}` };
  return request;
}
const isVaried = manyDays || tokens.length > 0;
const result = await autocannon({
  url,
  headers,
  connections,
  duration: seconds,
  ...(isVaried && { requests: [{ path, setupRequest }] }),
});
const failed = result.errors + result['4xx'] + result['5xx'];
process.stdout.write(JSON.stringify({ perSecond: result.requests.average, failed }));
