import { afterAll, beforeAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../test/support/frontdesk.ts';
import { addDefaultLists, createListKeeper } from '../list-keeper.ts';
import { openStorage, type Storage } from '../storage/storage.ts';
import { createChangeStream } from './change-stream.ts';
import { planChange } from './changes.ts';

const folder = makeFolder();
let storage: Storage;
beforeAll(async () => {
  storage = await openStorage({ engine: 'sqlite', file: join(folder, 'stream.db') });
  await addDefaultLists(createListKeeper(storage), storage.db, new Date());
});
afterAll(async () => {
  await storage.close();
  rmSync(folder, { recursive: true, force: true });
});

const principal = { employeeId: 'E-1', sessionId: 's', roles: [], expiresAt: 0 };
const options = { mayStay: () => true, today: () => '2027-01-02', differingBetween: () => [] };

async function change(version: number): Promise<void> {
  const author = { by: 'E-1', reason: undefined, at: new Date() };
  await createListKeeper(storage).change('position', version, author, (list) =>
    planChange(list, 'ACCOUNTANT', { label: `Version ${version}` }),
  );
}

test('a heart beats for whoever waits', async () => {
  const stream = await createChangeStream({ ...options, db: storage.reads, heartbeatMs: 5 });
  const reader = ((await stream.open(principal, null)).body as ReadableStream<Uint8Array>).getReader();
  let text = '';
  while (!text.includes(':\n\n:\n\n')) text += new TextDecoder().decode((await reader.read()).value);
  stream.closeAll();
  expect((await reader.read()).done).toBe(true);
});

test('a reader that never reads is let go, and costs others nothing', async () => {
  const stream = await createChangeStream({ ...options, db: storage.reads });
  const stuck = await stream.open(principal, null);
  const reading = (
    (await stream.open({ ...principal, sessionId: 't' }, null)).body as ReadableStream<Uint8Array>
  ).getReader();
  const many = Array.from({ length: 500 }, (_, index) => ({ list: `list-${index}`, version: 1 }));
  let received = 0;
  for (let round = 0; round < 30; round++) {
    await stream.publish(many);
    received += (await reading.read()).value?.length ?? 0;
  }
  stream.closeAll();
  // Some backlog was kept for the one that was stuck, and then no more; the other got everything.
  expect((await stuck.text()).length).toBeLessThan(received / 2);
});

test('a date that came while somebody was away is told when they come back', async () => {
  let day = '2027-01-01';
  const turned = (from: string, to: string) => (from === to ? [] : [{ list: 'employee-level', version: 1 }]);
  const stream = await createChangeStream({
    ...options,
    db: storage.reads,
    today: () => day,
    differingBetween: turned,
  });
  const opening = ((await stream.open(principal, null)).body as ReadableStream<Uint8Array>).getReader();
  const id = /id: (\d+)/.exec(new TextDecoder().decode((await opening.read()).value))?.[1] ?? '';
  day = '2027-01-02';
  await change(1);
  const back = ((await stream.open(principal, id)).body as ReadableStream<Uint8Array>).getReader();
  const text = new TextDecoder().decode((await back.read()).value);
  stream.closeAll();
  expect([...text.matchAll(/data: (.*)/g)].map(([, data]) => JSON.parse(data ?? ''))).toEqual([
    { list: 'employee-level', version: 1 },
    { list: 'position', version: 2 },
  ]);
  const ids = [...text.matchAll(/id: (\d+)/g)].map(([, each]) => Number(each));
  for (const each of ids) expect(each).toBeGreaterThan(Number(id));
});
