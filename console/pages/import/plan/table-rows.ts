// Reads the fields of a sheet's rows, before they are compared with a list. Pure.
import { isListName, isMachineName } from '../../../../src/lookup/rules/names.ts';
import type { Field } from '../../../lists/columns/headers.ts';
import { languageTagOf } from '../../../lists/languages/language-names.ts';
import { type Cell, isEmptyCell } from '../file/cells.ts';
import { type ReadingOptions, readCell } from './cell-content.ts';
import type { Column } from './columns.ts';
import { FaultList } from './faults.ts';
import { importFaultTexts as texts } from './texts.ts';

/** The contents of a row by field. The item's other fields stay unchanged. */
export interface WantedRow {
  /** 1-based, as in the spreadsheet. */
  row: number;
  fields: Map<Field, unknown>;
}

export interface TableRows {
  rows: WantedRow[];
  /** The index of each field's column. */
  columnOf: Map<Field, number>;
  faults: FaultList;
}

export async function readTable(
  rows: readonly Cell[][],
  headerRow: number,
  columns: readonly Column[],
  options: ReadingOptions & { needsList: boolean; leftOut?: ReadonlyMap<number, unknown> | undefined },
  pause: Pause,
): Promise<TableRows> {
  const faults = new FaultList(headerRow + 1);
  const chosen = columns.filter(({ field }) => field !== '');
  const columnOf = checkColumns(chosen, headerRow, options.needsList, faults);
  const wanted: WantedRow[] = [];
  for (let index = headerRow + 1; index < rows.length; index++) {
    await pause();
    if (options.leftOut?.has(index + 1)) continue;
    const cells = rows[index] ?? [];
    if (chosen.every((column) => isEmptyCell(cells[column.index]))) continue;
    const fields = new Map<Field, unknown>();
    for (const { field, index: column } of chosen) {
      const read = readCell(field, cells[column], options);
      if ('fault' in read) faults.add(index + 1, column, read.fault);
      else if (read.content !== undefined) fields.set(field, read.content);
    }
    wanted.push({ row: index + 1, fields });
  }
  return { rows: wanted, columnOf, faults };
}

function checkColumns(columns: readonly Column[], headerRow: number, needsList: boolean, faults: FaultList) {
  const columnOf = new Map<Field, number>();
  const headers = new Map<Field, string>();
  for (const { field, index, header } of columns) {
    const earlier = headers.get(field);
    if (earlier !== undefined) faults.add(headerRow + 1, index, texts.givenTwice(earlier));
    else if (!isFieldName(field)) faults.add(headerRow + 1, index, texts.badKey);
    headers.set(field, header);
    if (!columnOf.has(field)) columnOf.set(field, index);
  }
  if (!columnOf.has('label') && !columnOf.has('value')) faults.add(null, null, texts.labelOrValueMissing);
  if (needsList && !columnOf.has('list')) faults.add(null, null, texts.listMissing);
  return columnOf;
}

function isFieldName(field: Field): boolean {
  const [, prefix, key = ''] = /^(label|code|parent):(.*)$/.exec(field) ?? [];
  if (prefix === undefined) return true;
  if (prefix === 'label') return languageTagOf(key) === key;
  return prefix === 'code' ? isMachineName(key) : isListName(key);
}

const longestMs = 12;

/** The returned function is called between the steps of long work. It pauses now and then, so that the page responds. */
export function createPauses(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < longestMs) return undefined;
    return new Promise<void>((resolve) => setTimeout(resolve)).then(() => {
      since = performance.now();
    });
  };
}

export type Pause = ReturnType<typeof createPauses>;
