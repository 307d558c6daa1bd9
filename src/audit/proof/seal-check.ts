// Checks the seals while the rows are read in order.
import { type AuditKey, isSame, type Seal, sealHash } from './digest.ts';
import { NotAsWritten } from './not-as-written.ts';

/** `lastBeforeKey`: the last seal made under an earlier key, which cannot be recomputed. */
export async function createSealCheck(key: AuditKey, seals: AsyncGenerator<Seal, undefined>, lastBeforeKey: number) {
  let next = (await seals.next()).value;
  let [digests, previous]: [string[], Seal | undefined] = [[], undefined];
  let [removedUntil, unsealed] = [0, 0];

  async function end(seal: Seal): Promise<void> {
    const isNext = seal.number === (previous?.number ?? 0) + 1 && seal.first === (previous?.last ?? 0) + 1;
    if (!isNext) throw new NotAsWritten(`seal ${seal.number} does not follow the one before it`);
    const isWhole = digests.length === seal.last - seal.first + 1;
    // Without its rows, a seal cannot be recomputed, but the next seal contains its hash.
    const isRemoved = !isWhole && seal.last <= removedUntil;
    const isBeforeKey = seal.number <= lastBeforeKey;
    if (!isRemoved && !isBeforeKey && !isSame(seal.hash, sealHash(key, seal, previous?.hash, digests))) {
      throw new NotAsWritten(`seal ${seal.number} does not match its rows, ${seal.first} to ${seal.last}`);
    }
    [digests, previous, unsealed] = [[], seal, 0];
    next = (await seals.next()).value;
  }

  return {
    async add(seq: number, digest: string): Promise<void> {
      unsealed++;
      if (next === undefined) return;
      digests.push(digest);
      if (next.last === seq) await end(next);
    },
    /** The rows before this one were removed, and rows up to `until` may be. */
    async skipTo(seq: number, until: number): Promise<void> {
      removedUntil = until;
      while (next !== undefined && next.last < seq) await end(next);
    },
    /** The first seal whose rows were not all found. */
    missing: () => next,
    count: () => previous?.number ?? 0,
    /** How many rows have no seal yet. */
    unsealed: () => unsealed,
  };
}
