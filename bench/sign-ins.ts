// npm run bench -- sign-ins FOLDER: measures the database part of a sign-in (person, session, audit), in this tree and
// in another clone, for example of the commit before a change. Uses a PostgreSQL that writes to the disk. Rounds
// alternate.
import { resolve } from 'node:path';
import type { provideAuditKey } from '../src/audit/audit-key.ts';
import type { openSession } from '../src/auth/login/sign-in.queries.ts';
import { readConfig } from '../src/config/config.ts';
import type { openStorage } from '../src/storage/storage.ts';
import { at, newSession } from '../test/support/new-session.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { root } from '../test/support/process.ts';
import { quantile } from './report.ts';

const [other] = process.argv.slice(2);
if (other === undefined) throw new Error('npm run bench -- sign-ins FOLDER');

interface Sources {
  openSession: typeof openSession;
  openStorage: typeof openStorage;
  provideAuditKey: typeof provideAuditKey;
}

const rounds = 15;
const signInsOfRound = 300;

const postgres = await startPostgres();
const trees = await Promise.all(
  [other, root].map(async (folder) => {
    const load = async (path: string): Promise<Sources> => import(resolve(folder, path));
    const { openSession } = await load('src/auth/login/sign-in.queries.ts');
    const { openStorage } = await load('src/storage/storage.ts');
    const { provideAuditKey } = await load('src/audit/audit-key.ts');
    const url = await postgres.createDatabase();
    const storage = await openStorage(readConfig({ DATABASE_URL: url, DATABASE_POOL_SIZE: '80' }).database);
    provideAuditKey(storage.db, async () => Buffer.alloc(32));
    return { openSession, storage };
  }),
);

let count = 0;
const people = { 'new people': Number.POSITIVE_INFINITY, 'known people': 500 };
for (const [[name, many], inParallel] of Object.entries(people).flatMap((each) =>
  [1, 40].map((n) => [each, n] as const),
)) {
  const rates = trees.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, { openSession, storage }] of trees.entries()) {
      const begin = performance.now();
      let left = signInsOfRound;
      const work = async () => {
        while (left-- > 0) {
          const person = `${name} ${count % many}`;
          await openSession(storage.db, newSession(`s-${count++}`, person, person), at(0));
        }
      };
      await Promise.all(Array.from({ length: inParallel }, work));
      rates[index]?.push((signInsOfRound * 1000) / (performance.now() - begin));
    }
  }
  const [before = 0, after = 0] = rates.map((each) => quantile(each, 0.5));
  const ratio = (after / before).toFixed(2);
  process.stdout.write(
    `${name}, ${String(inParallel).padStart(2)} at once: other ${before.toFixed(0)}/s, this tree ${after.toFixed(0)}/s, ratio ${ratio}\n`,
  );
}
for (const { storage } of trees) await storage.close();
await postgres.stop();
