// Pastes a block of cells from a spreadsheet. Pure.
import {
  type CellPlace,
  cellKey,
  cellOf,
  type Draft,
  type Drafts,
  type GridItem,
  type NewText,
  withTexts,
} from './drafts.ts';

export interface PastePlan {
  texts: NewText[];
  /** Number of non-empty cells outside the grid's rows and languages. */
  outside: number;
  missingRows: number;
  missingLanguages: number;
}

/** `start` is the row and column where the block's first cell is pasted. */
export function planPaste(
  block: readonly (readonly string[])[],
  rows: readonly Pick<GridItem, 'value'>[],
  tags: readonly string[],
  start: { row: number; column: number },
): PastePlan {
  const plan: PastePlan = { texts: [], outside: 0, missingRows: 0, missingLanguages: 0 };
  for (const [down, cells] of block.entries()) {
    const value = rows[start.row + down]?.value;
    for (const [across, text] of cells.entries()) {
      const tag = tags[start.column + across];
      if (value !== undefined && tag !== undefined) plan.texts.push({ value, tag, text });
      else if (text.trim() !== '') {
        plan.outside++;
        if (value === undefined) plan.missingRows = Math.max(plan.missingRows, start.row + down + 1 - rows.length);
        if (tag === undefined) {
          plan.missingLanguages = Math.max(plan.missingLanguages, start.column + across + 1 - tags.length);
        }
      }
    }
  }
  return plan;
}

/** The cells that a paste changed, so that it can be undone. */
export type PasteRecord = readonly { place: CellPlace; before: Draft | undefined; after: Draft | undefined }[];

export function applyPaste(
  drafts: Drafts,
  items: ReadonlyMap<string, GridItem>,
  texts: readonly NewText[],
): { drafts: Drafts; record: PasteRecord } {
  const next = withTexts(drafts, items, texts);
  const record = texts.flatMap(({ value, tag }) => {
    const item = items.get(value);
    if (item === undefined || cellOf(item, tag, drafts).text === cellOf(item, tag, next).text) return [];
    const key = cellKey({ value, tag });
    return [{ place: { value, tag }, before: drafts.get(key), after: next.get(key) }];
  });
  return { drafts: next, record };
}

/** Undoes a paste. Cells that were edited after the paste keep their text. */
export function undoPaste(drafts: Drafts, record: PasteRecord): Drafts {
  const next = new Map(drafts);
  for (const { place, before, after } of record) {
    const key = cellKey(place);
    if (drafts.get(key)?.text !== after?.text) continue;
    if (before === undefined) next.delete(key);
    else next.set(key, before);
  }
  return next;
}
