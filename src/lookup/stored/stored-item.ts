// Items as the database stores them: as rows, and as JSON in the history.

import { z } from 'zod';
import {
  type Contents,
  emptyItem,
  type FieldName,
  fieldNames,
  hasContent,
  type ItemState,
  itemFields,
  type KeptItem,
  noTexts,
} from '../rules/item.ts';
import type { ItemRow } from './item.queries.ts';

const Texts = z.record(z.string(), z.string());
const Words = z.array(z.string());
const WordsByKey = z.record(z.string(), Words);

/**
 * The schema of each kind of content. Checks only types, because what was written under earlier rules must remain
 * readable.
 */
const types = {
  text: z.string(),
  number: z.number(),
  status: z.enum(['active', 'retired']),
  optionalText: z.string().nullable(),
  day: z.string().nullable(),
  words: Words,
  textsByKey: Texts,
  wordsByKey: WordsByKey,
} satisfies { [Kind in keyof Contents]: z.ZodType<Contents[Kind]> };

export const typeOf = (name: FieldName): z.ZodType => types[itemFields[name].holds];

/** Reads rows of items. Equal tags and parents of different items become one shared object. */
export function createItemReader(): (row: ItemRow) => KeptItem {
  const readTags = parseOnce(Words);
  const readParents = parseOnce(WordsByKey);
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

/** Items without such texts share one empty object. */
export function readTexts(json: string | null): z.infer<typeof Texts> {
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

/** Stored items leave out fields without content, so only fields that always have content are required. */
const storedType = (name: FieldName) =>
  hasContent(emptyItem, name) ? typeOf(name) : typeOf(name).default(emptyItem[name]);
const StoredItem = z.object({
  id: z.number(),
  ...(Object.fromEntries(fieldNames.map((name) => [name, storedType(name)])) as {
    [F in FieldName]: z.ZodType<ItemState[F]>;
  }),
});

export const parseItem = (value: string, json: string): KeptItem => StoredItem.parse({ ...JSON.parse(json), value });

const storedFields = fieldNames.filter((name) => name !== 'value');

export function itemText(item: KeptItem): string {
  const stored: Record<string, unknown> = { id: item.id };
  for (const name of storedFields) if (hasContent(item, name)) stored[name] = item[name];
  return JSON.stringify(stored);
}
