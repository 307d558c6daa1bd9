import { afterAll, beforeAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { makeFolder } from '../../../test/support/frontdesk.ts';
import { provideAuditKey } from '../../audit/audit-key.ts';
import { openStorage, type Storage } from '../../storage/storage.ts';
import { createListChanges } from '../changing/list-changes.ts';
import { planChange } from '../changing/planning.ts';
import { addDefaultLists } from '../lookups.ts';
import { readLists } from '../stored/list.queries.ts';
import { createChangeStream } from './change-stream.ts';

const folder = makeFolder();
let storage: Storage;
beforeAll(async () => {
  storage = await openStorage({ engine: 'sqlite', file: join(folder, 'stream.db') });
  provideAuditKey(storage.db, async () => Buffer.alloc(32));
  await addDefaultLists(createListChanges(storage), storage.db, new Date());
});
afterAll(async () => {
  await storage.close();
  rmSync(folder, { recursive: true, force: true });
});

const principal = { employeeId: 'E-1', isPerson: true, sessionId: 's', roles: [], expiresAt: 0 };
const options = {
  mayStay: () => true,
  mayRead: () => true,
  isLoaded: () => true,
  all: () => [{ list: 'position', version: 1 }],
  today: () => '2027-01-02',
  differingBetween: () => [],
};

async function change(version: number, at = storage): Promise<void> {
  const author = { by: 'E-1', reason: undefined, at: new Date(), mayKeepAll: true };
  await createListChanges(at).change('position', version, author, (list) =>
    planChange(list, 'ACCOUNTANT', { label: `Version ${version}` }),
  );
}

test('a heartbeat is sent while nothing changes', async () => {
  const stream = await createChangeStream({ ...options, db: storage.reads, heartbeatMs: 5 });
  const reader = ((await stream.open(principal)).body as ReadableStream<Uint8Array>).getReader();
  let text = '';
  while (!text.includes(':\n\n:\n\n')) text += new TextDecoder().decode((await reader.read()).value);
  stream.closeAll();
  expect((await reader.read()).done).toBe(true);
});

test('a client that never reads is disconnected, without affecting others', async () => {
  const stream = await createChangeStream({ ...options, db: storage.reads });
  const stuck = await stream.open(principal);
  const reading = (
    (await stream.open({ ...principal, sessionId: 't' })).body as ReadableStream<Uint8Array>
  ).getReader();
  const many = Array.from({ length: 500 }, (_, index) => ({ list: `list-${index}`, version: 1 }));
  let received = 0;
  for (let round = 0; round < 30; round++) {
    await stream.publish({ day: `2027-02-${10 + round}`, lists: many });
    received += (await reading.read()).value?.length ?? 0;
  }
  stream.closeAll();
  // The stuck client got a bounded backlog; the other one got everything.
  expect((await stuck.text()).length).toBeLessThan(received / 2);
});

/** Reads this many events. `lastId` is the last id received, from which a client would resume. */
async function readEvents(response: Response, count: number) {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let text = '';
  const events = () =>
    [...text.matchAll(/id: (\d+)\nevent: change\ndata: (.*)\n\n/g)].map(([, id, data]) => ({
      id: Number(id),
      ...(JSON.parse(data ?? '') as { list: string; version: number; day?: string }),
    }));
  do text += new TextDecoder().decode((await reader.read()).value);
  while (events().length < count);
  return { events: events(), lastId: [...text.matchAll(/id: (\d+)/g)].at(-1)?.[1] ?? '' };
}

test('a list that changes on a new day is sent with the day, since its version stays the same', async () => {
  const stream = await createChangeStream({ ...options, db: storage.reads });
  const before = await readEvents(await stream.open(principal), 0);
  const watching = await stream.open(principal);
  const lists = [{ list: 'employee-level', version: 1 }];
  await stream.publish({ day: '2027-01-03', lists });
  // The second call announces nothing.
  await stream.publish({ day: '2027-01-03', lists });
  await change(1);
  await stream.publish();
  const { events } = await readEvents(watching, 2);
  stream.closeAll();
  expect(events).toEqual([
    { id: expect.any(Number), list: 'employee-level', version: 1, day: '2027-01-03' },
    { id: expect.any(Number), list: 'position', version: 2 },
  ]);
  expect(events[0]?.id).toBeGreaterThan(Number(before.lastId));
  expect(events[1]?.id).toBeGreaterThan(events[0]?.id ?? Number.POSITIVE_INFINITY);
});

test('a new day that began while a client was disconnected is sent when it reconnects', async () => {
  const differingBetween = (from: string, to: string) => (from === to ? [] : [{ list: 'employee-level', version: 1 }]);
  const stream = await createChangeStream({ ...options, db: storage.reads, differingBetween });
  const { lastId } = await readEvents(await stream.open(principal), 0);
  await stream.publish({ day: '2027-01-03', lists: [] });
  await change(2);
  const { events } = await readEvents(await stream.open(principal, lastId), 2);
  stream.closeAll();
  expect(events).toMatchObject([
    { list: 'employee-level', version: 1, day: '2027-01-03' },
    { list: 'position', version: 3 },
  ]);
  for (const { id } of events) expect(id).toBeGreaterThan(Number(lastId));
});

test('a change that is published first does not hide a new day', async () => {
  const differingBetween = (from: string, to: string) => (from === to ? [] : [{ list: 'employee-level', version: 1 }]);
  // The clock says tomorrow; the lists of that day are not prepared yet.
  let today = '2027-01-02';
  const stream = await createChangeStream({ ...options, db: storage.reads, today: () => today, differingBetween });
  const watching = await stream.open(principal);
  today = '2027-01-03';
  await change(3);
  await stream.publish();
  const { lastId } = await readEvents(watching, 1);
  await stream.publish({ day: today, lists: [] });
  const { events } = await readEvents(await stream.open(principal, lastId), 1);
  stream.closeAll();
  expect(events).toMatchObject([{ list: 'employee-level', day: '2027-01-03' }]);
});

test('a new day that begins while the database is unavailable is still sent', async () => {
  const own = await openStorage({ engine: 'sqlite', file: join(folder, 'stream.db') });
  const stream = await createChangeStream({ ...options, db: own.reads });
  const watching = await stream.open(principal);
  await own.close();
  const lists = [{ list: 'employee-level', version: 1 }];
  const outcome = await stream.publish({ day: '2027-01-03', lists }).then(
    () => 'read',
    () => 'away',
  );
  const { events } = await readEvents(watching, 1);
  stream.closeAll();
  expect([outcome, events[0]?.list, events[0]?.day]).toEqual(['away', 'employee-level', '2027-01-03']);
});

test('a client that reconnects while a new day is being published gets the new day', async () => {
  const lists = [{ list: 'employee-level', version: 1 }];
  const differingBetween = (from: string, to: string) => (from === to ? [] : lists);
  for (let steps = 0; steps < 60; steps++) {
    const stream = await createChangeStream({ ...options, db: storage.reads, differingBetween });
    const { lastId } = await readEvents(await stream.open(principal), 0);
    const opening = stream.open(principal, lastId);
    // Each round publishes the new day one asynchronous step later in the reconnection.
    for (let step = 0; step < steps; step++) await null;
    await stream.publish({ day: '2027-01-03', lists });
    const response = await opening;
    stream.closeAll();
    const expected = '{"list":"employee-level","version":1,"day":"2027-01-03"}';
    expect([steps, await response.text()]).toEqual([steps, expect.stringContaining(expected)]);
  }
});

test('a client that reconnects gets a change that is published while its missed changes are being read', async () => {
  const told = Promise.withResolvers<void>();
  const slow = await openStorage({ engine: 'sqlite', file: join(folder, 'stream.db') });
  const held = slow.reads.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await told.promise;
      return result;
    },
  });
  let isNextHeld = false;
  const db = new Proxy(storage.reads, {
    get(reads, name) {
      if (name !== 'selectFrom') return Reflect.get(reads, name, reads);
      const from = isNextHeld ? held : reads;
      isNextHeld = false;
      return from.selectFrom.bind(from);
    },
  });
  const stream = await createChangeStream({ ...options, db });
  const { lastId } = await readEvents(await stream.open(principal), 0);
  isNextHeld = true;
  const opening = stream.open(principal, lastId);
  const version = (await readLists(storage.reads, ['position']))[0]?.version ?? 0;
  await change(version);
  await stream.publish();
  told.resolve();
  const response = await opening;
  stream.closeAll();
  await slow.close();
  expect(await response.text()).toContain(`{"list":"position","version":${version + 1}}`);
});

test('a change is sent only after its version is in memory, to the people who may then read the list', async () => {
  const version = (await readLists(storage.reads, ['position']))[0]?.version ?? 0;
  let loaded = version;
  let readers = ['E-1', 'E-2'];
  const stream = await createChangeStream({
    ...options,
    db: storage.reads,
    isLoaded: (_, wanted) => wanted <= loaded,
    mayRead: ({ employeeId }) => readers.includes(employeeId),
  });
  const { lastId } = await readEvents(await stream.open(principal), 0);
  const watching = await stream.open(principal);
  const other = await stream.open({ ...principal, employeeId: 'E-2' });
  await change(version);
  await stream.publish();
  // This stream is opened after the change is written, but before it is in memory. It gets the change once, at the same
  // time as the other streams.
  const between = await stream.open(principal, lastId);
  loaded = version + 1;
  readers = ['E-1'];
  await stream.publish();
  await stream.publish();
  stream.closeAll();
  const data = `data: {"list":"position","version":${version + 1}}`;
  const textOf = async (response: Response) => (await response.text()).split('\n').filter((line) => line === data);
  expect([await textOf(watching), await textOf(between), await textOf(other)]).toEqual([[data], [data], []]);
});

test('after the database was restored from a backup, every list is sent, and then every later change', async () => {
  const backup = join(folder, 'backup.db');
  await sql`vacuum into ${sql.lit(backup)}`.execute(storage.db);
  const restored = await openStorage({ engine: 'sqlite', file: backup });
  provideAuditKey(restored.db, async () => Buffer.alloc(32));
  let current = storage;
  const db = new Proxy(storage.reads, {
    get(_, name) {
      const part = Reflect.get(current.reads, name, current.reads);
      return name === 'selectFrom' ? part.bind(current.reads) : part;
    },
  });
  const lists = await readLists(storage.reads);
  const version = lists.find(({ list }) => list === 'position')?.version ?? 0;
  const stream = await createChangeStream({ ...options, db, all: () => lists });
  const watching = await stream.open(principal);
  const { lastId } = await (async () => {
    const other = await stream.open({ ...principal, employeeId: 'E-2' });
    await change(version);
    await change(version + 1);
    await stream.publish();
    return readEvents(other, 1);
  })();
  current = restored;
  await change(version, restored);
  await stream.publish();
  // Expects the change before the restore, then every list, then the next change.
  const first = await readEvents(watching, 1 + lists.length);
  const late = await readEvents(await stream.open(principal, lastId), lists.length);
  await change(version + 1, restored);
  await stream.publish();
  const after = await stream.open(
    principal,
    late.lastId.replace(/^\d+$/, (id) => String(Number(id) - 100_000)),
  );
  const next = await readEvents(after, 1);
  stream.closeAll();
  await restored.close();
  const names = lists.map(({ list }) => list);
  expect(first.events.map(({ list }) => list)).toEqual(['position', ...names]);
  expect(late.events.map(({ list }) => list)).toEqual(names);
  expect(next.events).toMatchObject([{ list: 'position', version: version + 2 }]);
});
