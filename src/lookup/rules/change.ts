// The type of a change to a list. Planning, writing and the history all use it.
import type { ItemState } from './item.ts';
import type { ListSettings, SomeSettings } from './list.ts';

export interface ItemChange {
  value: string;
  /** Null if the item is new. */
  before: ItemState | null;
  after: ItemState;
}

/** Only the settings that changed. */
export interface SettingsChange {
  value: null;
  before: SomeSettings;
  after: SomeSettings;
}

/** If `value` is null, the settings of the list changed. */
export type Change = ItemChange | SettingsChange;

export const isItemChange = (change: Change): change is ItemChange => change.value !== null;

/** Keys that were not sent are kept; null removes a key. */
export function mergeByKey<T>(
  before: Record<string, T>,
  sent: Record<string, T | null> | undefined,
): Record<string, T> {
  if (sent === undefined) return before;
  const merged = Object.entries({ ...before, ...sent });
  return Object.fromEntries(merged.filter((entry): entry is [string, T] => entry[1] !== null));
}

/** A list as it was at an earlier version. */
export interface PastState {
  settings: ListSettings;
  /**
   * The items that have changed since that version, each as it was at that version, or null if it did not exist yet.
   * The most recently changed item comes first.
   */
  items: Map<string, ItemState | null>;
}

export interface Fault {
  field: string;
  message: string;
}

/** Thrown if a change cannot be made. */
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
