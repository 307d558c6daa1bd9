// The four default lists over HTTP.
import { beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { bearer, startFrontdesk } from '../support/frontdesk.ts';
import { expectProblem } from '../support/problem.ts';
import { shared } from '../support/shared.ts';

const desk = shared(startFrontdesk);
let token: string;
beforeAll(async () => {
  token = await desk.signIn();
});

const fetchList = (list: string, headers: Record<string, string> = {}) =>
  // Bun adds its own Accept-Encoding unless told otherwise.
  fetch(`${desk.url}/employee/${list}`, {
    headers: { 'accept-encoding': 'identity', ...bearer(token), ...headers },
    decompress: false,
  });

interface Item {
  id: number;
  label: string;
  value: string;
  sortOrder: number;
}

/** Reads the default data from its file without the service's own parser. */
function itemsInFile(list: string): Omit<Item, 'id'>[] {
  const text = readFileSync(new URL('../../lookups/default.yaml', import.meta.url), 'utf8');
  const section = text.split(/^ {2}(?=\S)/m).find((part) => part.startsWith(`${list}:`)) ?? '';
  return [...section.matchAll(/value: (\w+), label: (.+?), sortOrder: (\d+) }/g)].map(([, value, label, order]) => ({
    label: label ?? '',
    value: value ?? '',
    sortOrder: Number(order),
  }));
}

describe.each([
  ['position', 24],
  ['overtime-eligibility', 4],
  ['employment-type', 8],
  ['employee-level', 8],
])('GET /employee/%s', (list, count) => {
  test(`is an array of ${count} items with exactly id, label, value, sortOrder, in order`, async () => {
    const response = await fetchList(list);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    const items = (await response.json()) as Item[];
    expect(items).toHaveLength(count);
    for (const item of items) expect(Object.keys(item)).toEqual(['id', 'label', 'value', 'sortOrder']);
    expect(items.map(({ id: _, ...item }) => item)).toEqual(itemsInFile(list));
    expect(items.map(({ sortOrder }) => sortOrder)).toEqual(items.map((item) => item.sortOrder).sort((a, b) => a - b));
  });

  test('is private, must be revalidated, and has the right Vary header', async () => {
    const { headers } = await fetchList(list);
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('vary')).toBe('Accept-Encoding, Accept-Language');
    expect(headers.has('x-request-id')).toBe(false);
  });

  test('answers 304 to the ETag of an encoding that the client accepts, with the headers a cache needs and no body', async () => {
    const plain = (await fetchList(list)).headers.get('etag') ?? '';
    const gzip = (await fetchList(list, { 'accept-encoding': 'gzip' })).headers.get('etag') ?? '';
    expect(plain).toMatch(/^"[\w-]{22}"$/);
    expect(gzip).toBe(plain.replace(/"$/, '-gzip"'));
    for (const [tag, encoding, told] of [
      [plain, 'identity', plain],
      [plain, 'gzip', plain],
      [gzip, 'gzip', gzip],
      [gzip, 'gzip, br', gzip],
      [`W/${plain}`, 'identity', `W/${plain}`],
      [`"other", ${plain}`, 'identity', plain],
      ['*', 'gzip', gzip],
    ] as const) {
      const response = await fetchList(list, { 'if-none-match': tag, 'accept-encoding': encoding });
      expect([tag, response.status, await response.text()]).toEqual([tag, 304, '']);
      expect(response.headers.get('etag')).toBe(told);
      expect(response.headers.get('cache-control')).toBe('private, no-cache');
    }
    // The plain answer has neither of these tags.
    for (const tag of [gzip, '"other"']) {
      expect((await fetchList(list, { 'if-none-match': tag, 'accept-encoding': 'identity' })).status).toBe(200);
    }
  });
});

describe('encodings', () => {
  const decoders: Record<string, (bytes: Uint8Array<ArrayBuffer>) => Uint8Array> = {
    gzip: (bytes) => Bun.gunzipSync(bytes),
    br: (bytes) => brotliDecompressSync(bytes),
    zstd: (bytes) => Bun.zstdDecompressSync(bytes),
  };

  test.each(Object.keys(decoders))('%s holds the same bytes as the plain answer', async (encoding) => {
    const plain = await (await fetchList('position')).text();
    const response = await fetchList('position', { 'accept-encoding': encoding });
    expect(response.headers.get('content-encoding')).toBe(encoding);
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect(bytes.length).toBeLessThan(plain.length / 2);
    expect(new TextDecoder().decode(decoders[encoding]?.(bytes))).toBe(plain);
  });

  test('an unknown encoding gets the plain answer', async () => {
    expect((await fetchList('position', { 'accept-encoding': 'snappy' })).headers.get('content-encoding')).toBeNull();
  });
});

describe('access', () => {
  test.each(['position', 'overtime-eligibility', 'employment-type', 'employee-level'])(
    '%s needs a token, also for a conditional request',
    async (list) => {
      const etag = (await fetchList(list)).headers.get('etag') ?? '';
      const response = await desk.get(`/employee/${list}`, { 'if-none-match': etag });
      expect(response.headers.get('www-authenticate')).toBe('Bearer realm="frontdesk"');
      await expectProblem(response, 'unauthorized', 401);
    },
  );

  test('an unknown list is 404, but only for signed-in people', async () => {
    await expectProblem(await desk.get('/employee/salary'), 'unauthorized', 401);
    await expectProblem(await fetchList('salary'), 'not-found', 404);
    expect(await (await fetchList('employeeLevel')).json()).toMatchObject({
      detail: 'There is no list "employeeLevel".',
    });
    for (const name of ['constructor', '__proto__', 'position%2f..', 'POSITION', '%00']) {
      await expectProblem(await fetchList(name), 'not-found', 404);
    }
  });

  test('HEAD answers like GET without the body', async () => {
    const response = await fetch(`${desk.url}/employee/position`, { method: 'HEAD', headers: bearer(token) });
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(response.headers.get('etag')).toBeString();
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s is 405 before access is checked', async (method) => {
    const response = await fetch(`${desk.url}/employee/position`, { method });
    expect(response.headers.get('allow')).toBe('GET, HEAD');
    await expectProblem(response, 'method-not-allowed', 405);
  });

  test('LOOKUP_READ_ROLES admits only people with one of the roles', async () => {
    const closed = await startFrontdesk({ LOOKUP_READ_ROLES: 'MANAGER,LOOKUP_ADMIN' });
    const ask = async (person: string) => closed.get('/employee/position', bearer(await closed.signIn(person)));
    const [admin, manager, employee] = [await ask('E-1001'), await ask('E-1002'), await ask('E-1003')];
    await closed.stop();
    expect([admin.status, manager.status]).toEqual([200, 200]);
    expect(employee.headers.get('www-authenticate')).toBe('Bearer realm="frontdesk", error="insufficient_scope"');
    await expectProblem(employee, 'forbidden', 403);
  });
});

test('a restart serves the same lists under the same tags', async () => {
  let own = await startFrontdesk();
  const read = async () => {
    const response = await own.get('/employee/position', bearer(await own.signIn()));
    return { etag: response.headers.get('etag'), items: await response.json() };
  };
  const before = await read();
  own = await own.restart();
  const after = await read();
  await own.stop();
  expect(after).toEqual(before);
});
