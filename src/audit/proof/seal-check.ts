// Follows the seals while the rows are read in their order.
import { type AuditKey, isSame, type Seal, sealHash } from './digest.ts';
import { NotAsWritten } from './not-as-written.ts';

export function createSealCheck(key: AuditKey, seals: readonly Seal[]) {
  let [next, digests, previous]: [number, string[], Seal | undefined] = [0, [], undefined];
  let removedUntil = 0;

  function end(seal: Seal): void {
    const isNext = seal.number === (previous?.number ?? 0) + 1 && seal.first === (previous?.last ?? 0) + 1;
    if (!isNext) throw new NotAsWritten(`seal ${seal.number} does not follow the one before it`);
    const isWhole = digests.length === seal.last - seal.first + 1;
    // Without its rows a seal cannot be recomputed, but the next one has its hash.
    const isRemoved = !isWhole && seal.last <= removedUntil;
    if (!isRemoved && !isSame(seal.hash, sealHash(key, seal, previous?.hash, digests))) {
      throw new NotAsWritten(`seal ${seal.number} does not match its rows, ${seal.first} to ${seal.last}`);
    }
    [next, digests, previous] = [next + 1, [], seal];
  }

  return {
    add(seq: number, digest: string): void {
      digests.push(digest);
      const seal = seals[next];
      if (seal?.last === seq) end(seal);
    },
    /** The rows before this one were removed. More may be, until another one. */
    skipTo(seq: number, until: number): void {
      removedUntil = until;
      for (let seal = seals[next]; seal !== undefined && seal.last < seq; seal = seals[next]) end(seal);
    },
    /** The first that was not reached. */
    missing: () => seals[next],
    unsealed: () => digests.length,
  };
}
