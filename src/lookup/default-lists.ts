import document from '../../lookups/default.yaml';
import { LookupDocument } from './lookup.schema.ts';

/** The lists of a new installation, but for those that are there. */
export function defaultListsBut(existing: ReadonlySet<string>): LookupDocument | undefined {
  const missing = Object.entries<unknown>(document.lists).filter(([name]) => !existing.has(name));
  return missing.length === 0 ? undefined : LookupDocument.parse({ lists: Object.fromEntries(missing) });
}
