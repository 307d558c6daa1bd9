// Items as the database stores them: as rows, and as JSON in the history.

import { z } from 'zod';
import type { KeptItem } from '../rules/item.ts';
import { noTexts } from '../rules/item.ts';
import type { ItemRow } from './item.queries.ts';

// Checks types only: what was written under earlier rules must remain readable.
const Texts = z.record(z.string(), z.string());
const Words = z.array(z.string());
const WordsByName = z.record(z.string(), Words);

/** Reads rows of items. Equal tags and parents of different items become one shared object. */
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

/** Not shared between items, unless there are none. */
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

/** The usual values are left out. */
const StoredItem = z.object({
  id: z.number(),
  label: z.string(),
  labels: Texts.default({}),
  sortOrder: z.number(),
  status: z.enum(['active', 'retired']).default('active'),
  validFrom: z.string().nullable().default(null),
  validTo: z.string().nullable().default(null),
  replacedBy: z.string().nullable().default(null),
  retiredAt: z.string().nullable().default(null),
  codes: Texts.default({}),
  tags: Words.default([]),
  description: z.string().nullable().default(null),
  parents: WordsByName.default({}),
}) satisfies z.ZodType<Omit<KeptItem, 'value'>>;

export function parseItem(value: string, json: string): KeptItem {
  const { id, ...fields } = StoredItem.parse(JSON.parse(json));
  return { id, value, ...fields };
}

/** Members with usual values become undefined, which JSON leaves out. */
export function itemText({ value: _, ...item }: KeptItem): string {
  return JSON.stringify({
    ...item,
    labels: unlessEmpty(item.labels),
    status: item.status === 'active' ? undefined : item.status,
    validFrom: item.validFrom ?? undefined,
    validTo: item.validTo ?? undefined,
    replacedBy: item.replacedBy ?? undefined,
    retiredAt: item.retiredAt ?? undefined,
    codes: unlessEmpty(item.codes),
    tags: unlessEmpty(item.tags),
    description: item.description ?? undefined,
    parents: unlessEmpty(item.parents),
  });
}

function unlessEmpty<T extends object>(entries: T): T | undefined {
  for (const _ in entries) return entries;
  return undefined;
}
