// The drafts in the translation grid: one draft for each cell with an unsaved text. Pure.
import { mergeField } from '../../lists/saving/merge.ts';
import type { KeptItem } from '../../shell/api.ts';

export type GridItem = Pick<KeptItem, 'value' | 'label' | 'labels' | 'status'>;

export interface CellPlace {
  value: string;
  tag: string;
}

export interface Draft extends CellPlace {
  /** An empty text removes the translation. */
  text: string;
  /** The saved text when typing began, to detect a colleague's change. */
  base: string;
}

/** The cells that differ from the saved text, with keys like `CLERK de`. Immutable. */
export type Drafts = ReadonlyMap<string, Draft>;

export const noDrafts: Drafts = new Map();

/** The key is unique, since values and tags contain no spaces. */
export const cellKey = ({ value, tag }: CellPlace) => `${value} ${tag}`;

const savedText = (item: Pick<GridItem, 'labels'>, tag: string) =>
  Object.hasOwn(item.labels, tag) ? (item.labels[tag] ?? '') : '';

/** The text as the service stores it: trimmed, and in one line. */
const cleanText = (text: string) =>
  text
    .replaceAll(/[\r\n\t]+/g, ' ')
    .trim()
    .normalize('NFC');

export type NewText = CellPlace & { text: string };

/** Adds texts to the drafts. Typing the saved text removes the draft. `items` maps each value to its item. */
export function withTexts(drafts: Drafts, items: ReadonlyMap<string, GridItem>, texts: Iterable<NewText>): Drafts {
  const next = new Map(drafts);
  for (const { value, tag, text } of texts) {
    const item = items.get(value);
    if (item === undefined) continue;
    const key = cellKey({ value, tag });
    const saved = savedText(item, tag);
    const clean = cleanText(text);
    // Keeps the first base, so that a conflict stays until the user resolves it.
    const base = drafts.get(key)?.base ?? saved;
    if (clean === saved) next.delete(key);
    else next.set(key, { value, tag, text: clean, base });
  }
  return next;
}

export interface ShownCell {
  text: string;
  isChanged: boolean;
  /** The text that a colleague has saved, if there is a conflict. */
  theirs: string | undefined;
}

export function cellOf(item: GridItem, tag: string, drafts: Drafts): ShownCell {
  const saved = savedText(item, tag);
  const draft = drafts.get(cellKey({ value: item.value, tag }));
  const { value: text, changedBy } = mergeField(draft?.base ?? saved, draft?.text, saved);
  const isConflict = changedBy === 'both';
  return { text, isChanged: isConflict || changedBy === 'mine', theirs: isConflict ? saved : undefined };
}

/** Removes drafts that now match the saved text. If no draft does, returns the given object. */
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
    return mergeField(base, text, item === undefined ? base : savedText(item, tag)).changedBy === 'both';
  });
}

/** Resolves a conflict: my text will overwrite theirs. */
export function keepMine(drafts: Drafts, item: GridItem, tag: string): Drafts {
  const key = cellKey({ value: item.value, tag });
  const draft = drafts.get(key);
  return draft === undefined ? drafts : new Map(drafts).set(key, { ...draft, base: savedText(item, tag) });
}

/** Resolves a conflict: my text is dropped. */
export function takeTheirs(drafts: Drafts, place: CellPlace): Drafts {
  const next = new Map(drafts);
  next.delete(cellKey(place));
  return next;
}

/** Number of active values with a label, by language. */
export function savedCounts(items: readonly GridItem[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { labels, status } of items) {
    if (status !== 'active') continue;
    for (const tag of Object.keys(labels)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  return counts;
}

/** The counts including drafts. Visits only the drafts, since it runs on every keystroke. */
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

/** Removes saved drafts. Cells edited during the save are now based on what was saved. */
export function afterSaving(drafts: Drafts, sent: Drafts): Drafts {
  const next = new Map(drafts);
  for (const [key, { text }] of sent) {
    const draft = drafts.get(key);
    if (draft?.text === text) next.delete(key);
    else if (draft !== undefined) next.set(key, { ...draft, base: text });
  }
  return next;
}

/** Checks the saved text, so that a row does not disappear while the user types in it. */
export function untranslatedOnly<I extends GridItem>(items: readonly I[], tags: readonly string[]): I[] {
  return items.filter((item) => tags.some((tag) => savedText(item, tag) === ''));
}

/** The languages of a list, most labels first, then by tag. */
export function languagesIn(items: readonly GridItem[]): string[] {
  const counts = new Map<string, number>();
  for (const { labels } of items) {
    for (const tag of Object.keys(labels)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  return [...counts].sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1)).map(([tag]) => tag);
}
