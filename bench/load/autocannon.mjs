// Where there is no wrk. Takes its options as JSON and prints what came of it as JSON.
import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';

const { url, headers, connections, seconds, tokensFile, manyDays } = JSON.parse(process.argv[2]);
const path = new URL(url).pathname;
const day = (n) =>
  `20${30 + (n % 60)}-${String(1 + (n % 12)).padStart(2, '0')}-${String(1 + (n % 28)).padStart(2, '0')}`;
const requests = [
  ...(tokensFile === undefined ? [] : readFileSync(tokensFile, 'utf8').trim().split('\n')).map((token) => ({
    headers: { authorization: `Bearer ${token}` },
  })),
  ...(manyDays ? Array.from({ length: 420 }, (_, n) => ({ path: `${path}?asOf=${day(n)}` })) : []),
];
const result = await autocannon({
  url,
  headers,
  connections,
  duration: seconds,
  ...(requests.length > 0 && { requests }),
});
const failed = result.errors + result['4xx'] + result['5xx'];
process.stdout.write(JSON.stringify({ perSecond: result.requests.average, failed }));
