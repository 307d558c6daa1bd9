// Keeps the registered and the recently removed callers in memory, so that a stranger's assertion costs no query and
// requests are checked without waiting.
import type { Db } from '../../storage/storage.ts';
import { listCallers, listRemovedIds, type RegisteredCaller } from './caller.queries.ts';

export type Callers = Awaited<ReturnType<typeof loadCallers>>;

export async function loadCallers(db: Db, now: () => Date) {
  let registered: RegisteredCaller[] = [];
  let bySubject = new Map<string, RegisteredCaller>();
  let removed = new Set<string>();

  async function reload(): Promise<void> {
    const [present, gone] = await Promise.all([listCallers(db), listRemovedIds(db, now())]);
    registered = present;
    bySubject = new Map(present.map((caller) => [keyOf(...namesIn(caller)), caller]));
    removed = new Set(gone);
  }

  await reload();
  return {
    all: () => registered,
    /** The caller whose assertions have this issuer and subject. */
    find: (issuer: string, subject: string) => bySubject.get(keyOf(issuer, subject)),
    /** Whether this registration was removed recently, so that its tokens are refused. */
    wasRemoved: (id: string) => removed.has(id),
    /** Reads the callers from the database again. */
    reload,
  };
}

/** RFC 7523 section 3: a caller that signs its own assertions is both their issuer and their subject. */
function namesIn({ name, proof }: RegisteredCaller): [issuer: string, subject: string] {
  return proof.kind === 'issuer' ? [proof.issuer, proof.subject] : [name, name];
}

const keyOf = (issuer: string, subject: string) => JSON.stringify([issuer, subject]);
