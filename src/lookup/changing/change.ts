// A change of a list, as it is planned, written, and kept in the history.
import { z } from 'zod';
import type { KeptItem, ListSettings } from '../lookup-admin.schema.ts';

export const Texts = z.record(z.string(), z.string());
export const Words = z.array(z.string());
export const WordsByName = z.record(z.string(), Words);

/**
 * An item without its id. The types alone: what was written under earlier rules must still be read, and what was written
 * before there were codes, tags, descriptions and parents has none.
 */
const ItemState = z.object({
  value: z.string(),
  label: z.string(),
  labels: Texts,
  sortOrder: z.number(),
  status: z.enum(['active', 'retired']),
  validFrom: z.string().nullable(),
  validTo: z.string().nullable(),
  replacedBy: z.string().nullable(),
  retiredAt: z.string().nullable(),
  codes: Texts.default({}),
  tags: Words.default([]),
  description: z.string().nullable().default(null),
  parents: WordsByName.default({}),
}) satisfies z.ZodType<Omit<KeptItem, 'id'>>;
export type ItemState = z.infer<typeof ItemState>;
/** Null: the item was not there. */
export const ItemBefore = ItemState.nullable();

const SomeSettings = z
  .object({
    title: z.string(),
    description: z.string().nullable(),
    readers: z.array(z.string()).nullable(),
    keepers: z.array(z.string()).nullable(),
    archived: z.boolean(),
  } satisfies Record<keyof ListSettings, z.ZodType>)
  .partial();

const ItemChange = z.object({ value: z.string(), before: ItemState.nullable(), after: ItemState });
export type ItemChange = z.infer<typeof ItemChange>;

/** What has changed of the list itself, and nothing else of it. */
const SettingsChange = z.object({ value: z.null(), before: SomeSettings, after: SomeSettings });
export type SettingsChange = z.infer<typeof SettingsChange>;

/** A change without a value is one of the list's settings. */
export const Change = z.union([ItemChange, SettingsChange]);
export type Change = z.infer<typeof Change>;

export const isItemChange = (change: Change): change is ItemChange => change.value !== null;

/** What can change of an item. */
export type ItemField = Exclude<keyof ItemState, 'value'>;
export const itemFields = Object.keys(ItemState.shape).filter((field) => field !== 'value') as ItemField[];

/** Most fields of most items are the very same value. */
export function isChanged(field: ItemField, before: ItemState, after: ItemState): boolean {
  return before[field] !== after[field] && !Bun.deepEquals(before[field], after[field]);
}

/** Whether anything but its place in the list is another: of a list that was put in a new order, that is said once. */
export function changesMoreThanOrder({ before, after }: ItemChange): boolean {
  return before === null || itemFields.some((field) => field !== 'sortOrder' && isChanged(field, before, after));
}

export interface Fault {
  field: string;
  message: string;
}

/** What was asked for cannot be done, and why. */
export class ChangeRefused extends Error {
  readonly kind: 'invalid' | 'not-found' | 'exists';
  readonly faults: Fault[];

  constructor(kind: ChangeRefused['kind'], faults: Fault[] = []) {
    super(kind);
    this.kind = kind;
    this.faults = faults;
  }
}

export function refuseFaults(faults: Fault[]): void {
  if (faults.length > 0) throw new ChangeRefused('invalid', faults);
}
