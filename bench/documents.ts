// npm run bench -- documents: measures documents that are hard to parse, in three sizes, and list versions with many
// changes. Prints how long each takes, and the longest time that another request waits. The service runs in a separate
// process. `-- versions` or `-- documents` measures only one of the two.
import { shapes } from '../test/support/document-shapes.ts';
import { bearer, startFrontdesk } from '../test/support/frontdesk.ts';

const [part = 'all'] = process.argv.slice(2);

if (part === 'serve') {
  const desk = await startFrontdesk({ RATE_LIMIT_API: '0' });
  const [admin, employee] = [await desk.signIn('E-1001'), await desk.signIn('E-1003')];
  process.stdout.write(`${JSON.stringify({ url: desk.url, admin, employee })}\n`);
  process.once('SIGTERM', () => void desk.stop().then(() => process.exit(0)));
} else {
  const child = Bun.spawn([process.execPath, '--no-env-file', import.meta.path, 'serve'], { stdout: 'pipe' });
  const { value } = await child.stdout.getReader().read();
  const { url, admin, employee } = JSON.parse(new TextDecoder().decode(value)) as Record<string, string>;
  const service = { url: url ?? '', admin: admin ?? '', employee: employee ?? '' };
  if (part !== 'versions') await measureDocuments(service);
  if (part !== 'documents') await measureVersions(service);
  child.kill();
}

type ServiceUnderTest = { url: string; admin: string; employee: string };

/** Returns the status and the duration, and the longest duration of any other request during that time. */
async function measure({ url, employee }: ServiceUnderTest, act: () => Promise<Response>) {
  let isDone = false;
  const begin = performance.now();
  const acting = act().then(async (response) => {
    const text = await response.text();
    const tookMs = performance.now() - begin;
    isDone = true;
    return { status: response.status, text, tookMs };
  });
  let longestWaitMs = 0;
  while (!isDone) {
    const asked = performance.now();
    await (await fetch(`${url}/employee/position`, { headers: bearer(employee) })).arrayBuffer();
    longestWaitMs = Math.max(longestWaitMs, performance.now() - asked);
    await Bun.sleep(1);
  }
  return { ...(await acting), longestWaitMs };
}

/** Repeats the measurement and returns the shortest times, because other load on the machine only adds time. */
async function best(times: number, service: ServiceUnderTest, act: () => Promise<Response>) {
  const runs: Awaited<ReturnType<typeof measure>>[] = [];
  for (let turn = 0; turn < times; turn++) runs.push(await measure(service, act));
  const [first] = runs;
  if (first === undefined) throw new Error('not measured');
  return {
    ...first,
    tookMs: Math.min(...runs.map(({ tookMs }) => tookMs)),
    longestWaitMs: Math.min(...runs.map(({ longestWaitMs }) => longestWaitMs)),
  };
}

async function measureDocuments(service: ServiceUnderTest): Promise<void> {
  print('      ms, at 64  128   256 KiB  growth  waited  status');
  for (const { name, type, make } of shapes) {
    const runs: Awaited<ReturnType<typeof measure>>[] = [];
    for (const size of [64, 128, 256]) {
      const body = make(size * 1024);
      const headers = { ...bearer(service.admin), 'content-type': type };
      const send = () => fetch(`${service.url}/admin/lookups/plan`, { method: 'POST', headers, body });
      runs.push(await best(3, service, send));
    }
    const [, half = Number.NaN, whole = Number.NaN] = runs.map(({ tookMs }) => tookMs);
    const waited = Math.max(...runs.map(({ longestWaitMs }) => longestWaitMs));
    const times = runs.map(({ tookMs }) => tookMs.toFixed(0).padStart(7)).join('');
    const figures = `${times}${(whole / half).toFixed(1).padStart(8)}${waited.toFixed(0).padStart(8)}`;
    print(`${figures}  ${runs.at(-1)?.status}  ${name}`);
  }
}

async function measureVersions(service: ServiceUnderTest): Promise<void> {
  const lists = `${service.url}/admin/lookups`;
  const json = { ...bearer(service.admin), 'content-type': 'application/json' };
  const rows = (list: string, from: number, count: number, label: string) =>
    `list,value,label\n${Array.from({ length: count }, (_, index) => `${list},V${from + index},${label}`).join('\n')}`;
  const sendCsv = (path: string, body: string) =>
    fetch(`${lists}/${path}`, { method: 'POST', headers: { ...json, 'content-type': 'text/csv' }, body });
  const versionOf = async (list: string) =>
    ((await (await fetch(`${lists}/${list}/history?limit=1`, { headers: json })).json()) as { version: number }[])[0]
      ?.version ?? 0;
  const change = async (method: string, list: string, path: string, body: object) => {
    const headers = { ...json, 'If-Match': `"${await versionOf(list)}"` };
    return fetch(`${lists}/${list}${path}`, { method, headers, body: JSON.stringify(body) });
  };
  const get = (path: string, accept = 'application/json') => fetch(lists + path, { headers: { ...json, accept } });

  for (let from = 0; from < 50_000; from += 10_000)
    await (await sendCsv('apply', rows('huge', from, 10_000, 'a'))).text();
  await (await sendCsv('apply', rows('long', 0, 10_000, 'a'))).text();
  let turn = 0;
  const rotated = (by: number) => Array.from({ length: 10_000 }, (_, index) => `V${(index + by) % 10_000}`);
  const next = () => `b${turn++}`;
  const steps: Record<string, () => Promise<Response>> = {
    'plan 10,000 changes': () => sendCsv('plan', rows('long', 0, 10_000, next())),
    'apply 10,000 changes': () => sendCsv('apply', rows('long', 0, 10_000, next())),
    'apply 50,000 changes': () => sendCsv('apply', rows('huge', 0, 50_000, next())),
    'undo 10,000 changes': async () => change('POST', 'long', '/undo', { version: (await versionOf('long')) - 1 }),
    'order 10,000 items': () =>
      change('PUT', 'long', '/order', {
        values: rotated(++turn),
      }),
    'history of 50 versions': () => get('/long/history'),
    'history, a page of one': () => get(`/long/history?limit=1&changesFrom=1000`),
    'read the list of 50,000': () => get('/huge'),
    'its CSV': () => get('/huge', 'text/csv'),
    'its YAML': () => get('/huge', 'application/yaml'),
    'plan one change in 50,000': () => sendCsv('plan', rows('huge', 7, 1, next())),
    'apply one change in 50,000': () => sendCsv('apply', rows('huge', 7, 1, next())),
    'PATCH one of 50,000': () => change('PATCH', 'huge', '/items/V7', { label: next() }),
    'undo one of 50,000': async () => change('POST', 'huge', '/undo', { version: (await versionOf('huge')) - 1 }),
  };
  print('      ms  waited  status');
  for (const [name, act] of Object.entries(steps)) {
    const { status, tookMs, longestWaitMs } = await best(4, service, act);
    print(`${tookMs.toFixed(0).padStart(8)}${longestWaitMs.toFixed(0).padStart(8)}  ${status}     ${name}`);
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
