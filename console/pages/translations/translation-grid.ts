// The grid of values by language: what has been typed and not saved yet, cell by cell. Pure.
import type { KeptItem } from '../../../src/lookup/lookup-admin.schema.ts';

export type GridItem = Pick<KeptItem, 'value' | 'label' | 'labels' | 'status'>;

export interface CellPlace {
  value: string;
  tag: string;
}

export interface Draft extends CellPlace {
  /** Empty: the translation is to be removed. */
  text: string;
  /** What was saved when it was typed: something else by now is a colleague's change. */
  base: string;
}

/** Only cells that differ from what is saved, by `VALUE tag`. Never changed in place. */
export type Drafts = ReadonlyMap<string, Draft>;

export const noDrafts: Drafts = new Map();

/** Neither part can have a blank. */
export const cellKey = ({ value, tag }: CellPlace) => `${value} ${tag}`;

const savedText = (item: Pick<GridItem, 'labels'>, tag: string) =>
  Object.hasOwn(item.labels, tag) ? (item.labels[tag] ?? '') : '';

/** As the service keeps it: one line, without blanks around it. */
const cleanText = (text: string) =>
  text
    .replaceAll(/[\r\n\t]+/g, ' ')
    .trim()
    .normalize('NFC');

export type NewText = CellPlace & { text: string };

/** `items` by value. A cell that gets the text it is saved with is no draft. */
export function withTexts(drafts: Drafts, items: ReadonlyMap<string, GridItem>, texts: Iterable<NewText>): Drafts {
  const next = new Map(drafts);
  for (const { value, tag, text } of texts) {
    const item = items.get(value);
    if (item === undefined) continue;
    const key = cellKey({ value, tag });
    const saved = savedText(item, tag);
    const clean = cleanText(text);
    // A conflict stays one until it was decided: what is typed meanwhile is still based on what was seen first.
    const base = drafts.get(key)?.base ?? saved;
    if (clean === saved) next.delete(key);
    else next.set(key, { value, tag, text: clean, base });
  }
  return next;
}

export interface Cell {
  text: string;
  isChanged: boolean;
  /** Of a conflict: what a colleague has saved since. */
  theirs: string | undefined;
}

export function cellOf(item: GridItem, tag: string, drafts: Drafts): Cell {
  const saved = savedText(item, tag);
  const draft = drafts.get(cellKey({ value: item.value, tag }));
  if (draft === undefined || draft.text === saved) return { text: saved, isChanged: false, theirs: undefined };
  return { text: draft.text, isChanged: true, theirs: draft.base === saved ? undefined : saved };
}

/** Without what has been saved meanwhile, by whomever. The same drafts where there is none. */
export function withoutSaved(drafts: Drafts, items: ReadonlyMap<string, GridItem>): Drafts {
  const left = new Map<string, Draft>();
  for (const [key, draft] of drafts) {
    const item = items.get(draft.value);
    if (item !== undefined && savedText(item, draft.tag) !== draft.text) left.set(key, draft);
  }
  return left.size === drafts.size ? drafts : left;
}

export function conflictsIn(drafts: Drafts, items: ReadonlyMap<string, GridItem>): Draft[] {
  return [...drafts.values()].filter(({ value, tag, text, base }) => {
    const item = items.get(value);
    const saved = item === undefined ? base : savedText(item, tag);
    return saved !== base && saved !== text;
  });
}

/** Mine is to be saved over theirs. */
export function keepMine(drafts: Drafts, item: GridItem, tag: string): Drafts {
  const key = cellKey({ value: item.value, tag });
  const draft = drafts.get(key);
  return draft === undefined ? drafts : new Map(drafts).set(key, { ...draft, base: savedText(item, tag) });
}

/** Mine is given up. */
export function takeTheirs(drafts: Drafts, place: CellPlace): Drafts {
  const next = new Map(drafts);
  next.delete(cellKey(place));
  return next;
}

/** By language, how many of the active values have a label in it. */
export function savedCounts(items: readonly GridItem[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { labels, status } of items) {
    if (status !== 'active') continue;
    for (const tag of Object.keys(labels)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  return counts;
}

/** The same with what has been typed: only the drafts are looked at, since it changes with every key. */
export function countsWith(
  saved: ReadonlyMap<string, number>,
  drafts: Drafts,
  items: ReadonlyMap<string, GridItem>,
): Map<string, number> {
  const counts = new Map(saved);
  for (const { value, tag, text } of drafts.values()) {
    const item = items.get(value);
    if (item?.status !== 'active') continue;
    const difference = Number(text !== '') - Number(savedText(item, tag) !== '');
    counts.set(tag, (counts.get(tag) ?? 0) + difference);
  }
  return counts;
}

/** After these were saved. What was typed in the same cells meanwhile is based on what was saved. */
export function afterSaving(drafts: Drafts, sent: Drafts): Drafts {
  const next = new Map(drafts);
  for (const [key, { text }] of sent) {
    const draft = drafts.get(key);
    if (draft?.text === text) next.delete(key);
    else if (draft !== undefined) next.set(key, { ...draft, base: text });
  }
  return next;
}

/** By what is saved: a row does not vanish while somebody types in it. */
export function untranslatedOnly<I extends GridItem>(items: readonly I[], tags: readonly string[]): I[] {
  return items.filter((item) => tags.some((tag) => savedText(item, tag) === ''));
}

/** The languages of a list, those with most labels first, then by tag. */
export function languagesIn(items: readonly GridItem[]): string[] {
  const counts = new Map<string, number>();
  for (const { labels } of items) {
    for (const tag of Object.keys(labels)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  return [...counts].sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1)).map(([tag]) => tag);
}
