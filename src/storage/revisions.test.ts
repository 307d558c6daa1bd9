import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { bumpRevision, type Topic, watchRevisions } from './revisions.ts';
import { openStorage } from './storage.ts';

test('a list that takes long to load does not delay ended sessions, and its later changes are loaded after it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-'));
  const storage = await openStorage({ engine: 'sqlite', file: join(folder, 'frontdesk.db') });
  const change = (topic: Topic) => storage.db.transaction().execute((tx) => bumpRevision(tx, topic));
  const revisions = await watchRevisions({
    storage,
    log: pino({ enabled: false }),
    now: () => new Date(),
    staleLimitSeconds: 60,
  });
  const handled: string[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  revisions.on('lists', async () => {
    handled.push('loading');
    await released;
    handled.push('loaded');
  });
  const sessionsKnown = new Set<() => void>();
  revisions.on('sessions', async () => {
    handled.push('session');
    for (const known of sessionsKnown) known();
  });
  const nextSession = () => new Promise<void>((known) => sessionsKnown.add(known));
  for (const _ of ['first', 'while the list is loaded']) {
    const known = nextSession();
    await change('lists');
    await change('sessions');
    void revisions.poll();
    await known;
  }
  expect(handled).toEqual(['loading', 'session', 'session']);
  release();
  await revisions.poll();
  expect(handled).toEqual(['loading', 'session', 'session', 'loaded', 'loading', 'loaded']);
  revisions.stop();
  await storage.close();
  rmSync(folder, { recursive: true });
});
