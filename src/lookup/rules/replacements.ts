// The replacements of retired values.
import type { Fault } from './change.ts';

export type Replacements = Map<string, string | null>;

export function replacementsIn(items: readonly { value: string; replacedBy: string | null }[]): Replacements {
  const replacements: Replacements = new Map();
  for (const { value, replacedBy } of items) replacements.set(value, replacedBy);
  return replacements;
}

export function replacementFaults(replacements: Replacements, circular: ReadonlySet<string>, value: string): Fault[] {
  const replacedBy = replacements.get(value) ?? null;
  const fault = (message: string) => [{ field: 'replacedBy', message }];
  if (replacedBy !== null && !replacements.has(replacedBy)) return fault('must be a value of the same list');
  return circular.has(value) ? fault('must not lead back to the same value') : [];
}

/** The values whose replacements form or lead into a cycle. Each value is visited once, however long the chains are. */
export function findCircular(replacements: Replacements): Set<string> {
  const ending = new Set<string>();
  const circular = new Set<string>();
  for (const [start, replacedBy] of replacements) {
    if (replacedBy === null) continue;
    const chain = new Set<string>();
    let next: string | null = start;
    while (next !== null && !chain.has(next) && !ending.has(next) && !circular.has(next)) {
      chain.add(next);
      next = replacements.get(next) ?? null;
    }
    const isCircular = next !== null && !ending.has(next);
    for (const value of chain) (isCircular ? circular : ending).add(value);
  }
  return circular;
}

/** Returns a function that finds the last replacement of a value, or the value itself. Each value is visited once. */
export function createFinalValues(replacedBy: (value: string) => string | null): (value: string) => string {
  const finals = new Map<string, string>();
  return (start) => {
    const chain = new Set<string>();
    let end = start;
    for (let next: string | null = start; next !== null && !chain.has(next); next = replacedBy(next)) {
      chain.add(next);
      end = finals.get(next) ?? next;
      if (finals.has(next)) break;
    }
    for (const value of chain) finals.set(value, end);
    return end;
  };
}
