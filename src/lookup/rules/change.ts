// A change of a list, as it is planned, written, and kept in the history.
import type { ItemState } from './item.ts';
import type { GivenSettings, ListSettings } from './list.ts';

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
  /** The items that have changed since. Null: the item was not there. */
  items: Map<string, ItemState | null>;
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
