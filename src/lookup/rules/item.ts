// What an item is.

/** An item without its id. */
export type ItemState = {
  value: string;
  /** Its plain label, which counts as English. */
  label: string;
  /** Translations by language tag. */
  labels: Record<string, string>;
  sortOrder: number;
  status: 'active' | 'retired';
  /** The first and the last day on which it can be chosen, as dates like 2027-01-31. */
  validFrom: string | null;
  validTo: string | null;
  /** The value to use instead of a retired one. */
  replacedBy: string | null;
  retiredAt: string | null;
  /** What other systems call it, by system. */
  codes: Record<string, string>;
  tags: string[];
  description: string | null;
  /** Values of other lists, by list: the item is offered only with one of them. */
  parents: Record<string, string[]>;
};

export type KeptItem = ItemState & { id: number };

/** A new item with nothing but what every item needs. */
export function blankItem(value: string, label: string, sortOrder: number): ItemState {
  return {
    value,
    label,
    labels: {},
    sortOrder,
    status: 'active',
    validFrom: null,
    validTo: null,
    replacedBy: null,
    retiredAt: null,
    codes: {},
    tags: [],
    description: null,
    parents: {},
  };
}

/** The fields of an item that can change. */
export type ItemField = Exclude<keyof ItemState, 'value'>;
export const itemFields = Object.keys(blankItem('', '', 0)).filter((name) => name !== 'value') as ItemField[];

/** Shared by all items without translations or codes: code that visits every item can skip them by comparing with it. */
export const noTexts: Record<string, string> = Object.freeze({});
