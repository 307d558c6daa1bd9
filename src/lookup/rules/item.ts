// What an item is. Each field is declared once, in the table below. Code that treats all fields alike uses this table.

/** The empty object that items without translations or codes share. Comparing with it shows quickly that there are none. */
export const noTexts: Record<string, string> = Object.freeze({});

/** The kinds of content that a field can have, each with its empty value. */
const emptyContents = {
  text: '' as string,
  number: 0 as number,
  status: 'active' as 'active' | 'retired',
  optionalText: null as string | null,
  /** A date like 2027-01-31. */
  day: null as string | null,
  words: [] as string[],
  textsByKey: noTexts,
  wordsByKey: {} as Record<string, string[]>,
};
for (const content of Object.values(emptyContents)) Object.freeze(content);
export type Contents = typeof emptyContents;

interface FieldRule {
  holds: keyof Contents;
  /** Maximum number of characters of each text. */
  most?: number;
  /**
   * The name of the column in files, if it differs from the field's name; null if there is no column. For a field with
   * keys, this is the part before the colon.
   */
  column?: string | null;
  /** Whether forms can request this field with the parameter `fields`. */
  isExtra?: true;
}

/** All fields, in the order in which they appear in answers. */
export const itemFields = {
  value: { holds: 'text' },
  /** The plain label, which counts as English. */
  label: { holds: 'text', most: 200 },
  /** Translations by language tag. */
  labels: { holds: 'textsByKey', most: 200, column: 'label' },
  sortOrder: { holds: 'number' },
  status: { holds: 'status', column: 'retired' },
  /** The first and the last day on which the item can be chosen. */
  validFrom: { holds: 'day' },
  validTo: { holds: 'day' },
  /** The value to use instead of a retired one. */
  replacedBy: { holds: 'optionalText' },
  retiredAt: { holds: 'optionalText', column: null },
  /** The codes of the item in other systems, by system. */
  codes: { holds: 'textsByKey', most: 100, column: 'code', isExtra: true },
  tags: { holds: 'words', isExtra: true },
  description: { holds: 'optionalText', most: 500, isExtra: true },
  /**
   * Values of other lists, by list. Once a value of such a list is chosen, the item is offered only if that value is
   * listed here.
   */
  parents: { holds: 'wordsByKey', column: 'parent', isExtra: true },
} as const satisfies Record<string, FieldRule>;

type Rules = typeof itemFields;
export type FieldName = keyof Rules;
type NamesWith<Rule> = { [F in FieldName]: Rules[F] extends Rule ? F : never }[FieldName];
export type KeyedField = NamesWith<{ holds: `${string}ByKey` }>;
export type ExtraField = NamesWith<{ isExtra: true }>;

/** An item without its id. */
export type ItemState = { [F in FieldName]: Contents[Rules[F]['holds']] };
export type KeptItem = ItemState & { id: number };

export const ruleOf = (name: FieldName): FieldRule => itemFields[name];
export const fieldNames = Object.keys(itemFields) as FieldName[];
export const keyedFields = fieldNames.filter((name): name is KeyedField => itemFields[name].holds.endsWith('ByKey'));
export const extraFields = fieldNames.filter((name): name is ExtraField => ruleOf(name).isExtra === true);

export const emptyItem = Object.fromEntries(
  fieldNames.map((name) => [name, emptyContents[itemFields[name].holds]]),
) as ItemState;

/** A new item with only the required fields. */
export const blankItem = (value: string, label: string, sortOrder: number): ItemState => ({
  ...emptyItem,
  value,
  label,
  sortOrder,
});

/** Whether files and the history must include this field of an item. */
export function hasContent(item: ItemState, name: FieldName): boolean {
  const content = item[name];
  if (name === 'status') return content === 'retired';
  if (content === null || typeof content !== 'object') return content !== null;
  for (const _ in content) return true;
  return false;
}
