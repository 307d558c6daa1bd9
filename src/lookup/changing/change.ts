// A change of a list, as it is planned, written, and kept in the history.
import { type GivenSettings, KeptItem, type ListSettings } from '../lookup-admin.schema.ts';

/** An item without its id. */
export type ItemState = Omit<KeptItem, 'id'>;

export interface ItemChange {
  value: string;
  /** Null: the item was not there. */
  before: ItemState | null;
  after: ItemState;
}

/** What has changed of the list itself, and nothing else of it. */
export interface SettingsChange {
  value: null;
  before: GivenSettings;
  after: GivenSettings;
}

/** A change without a value is one of the list's settings. */
export type Change = ItemChange | SettingsChange;

export const isItemChange = (change: Change): change is ItemChange => change.value !== null;

/** A list as it was at an earlier version. */
export interface PastState {
  settings: ListSettings;
  /** The items that have changed since, those that changed last first. Null: the item was not there. */
  items: Map<string, ItemState | null>;
}

/** What can change of an item. */
export type ItemField = Exclude<keyof ItemState, 'value'>;
export const itemFields = Object.keys(KeptItem.omit({ id: true, value: true }).shape) as ItemField[];

/** Most fields of most items are the very same value. */
export function isChanged(field: ItemField, before: ItemState, after: ItemState): boolean {
  return before[field] !== after[field] && !Bun.deepEquals(before[field], after[field]);
}

/** Whether anything but sortOrder changed: a new order of the list is said once, not of every item. */
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
