// Rows of the database as items.
import type { z } from 'zod';
import { Texts, Words, WordsByName } from './changing/change.ts';
import type { ItemRow } from './item.queries.ts';
import type { KeptItem } from './lookup-admin.schema.ts';

/** For the items of one reading: what many of them have in common is one object in memory. */
export function createItemReader(): (row: ItemRow) => KeptItem {
  const readTags = parseOnce(Words);
  const readParents = parseOnce(WordsByName);
  return (row) => ({
    id: row.id,
    value: row.value,
    label: row.label,
    labels: readTexts(row.labels),
    sortOrder: row.sort_order,
    status: row.status ?? 'active',
    validFrom: row.valid_from,
    validTo: row.valid_to,
    replacedBy: row.replaced_by,
    retiredAt: row.retired_at,
    codes: readTexts(row.codes),
    tags: readTags(row.tags ?? '[]'),
    description: row.description,
    parents: readParents(row.parents ?? '{}'),
  });
}

/** One for all: those who look at every item need not look into it. */
export const noTexts: z.infer<typeof Texts> = Object.freeze({});

/** Those of an item are its own, unless it has none. */
function readTexts(json: string | null): z.infer<typeof Texts> {
  return json === null ? noTexts : Texts.parse(JSON.parse(json));
}

function parseOnce<T extends object>(schema: z.ZodType<T>): (json: string) => T {
  const parsed = new Map<string, T>();
  return (json) => {
    const known = parsed.get(json);
    if (known !== undefined) return known;
    const value = Object.freeze(schema.parse(JSON.parse(json)));
    parsed.set(json, value);
    return value;
  };
}
