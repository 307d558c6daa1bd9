// Converts a cell to the field of its column. Pure.
import { keyedColumn, plainColumns } from '../../../../src/lookup/rules/columns.ts';
import { emptyItem, hasContent, ruleOf } from '../../../../src/lookup/rules/item.ts';
import { isMachineName, isValue } from '../../../../src/lookup/rules/names.ts';
import { brokenRule, hasAtMost, hasLongRunOfMarks } from '../../../../src/lookup/rules/text.ts';
import { type Field, plainWords } from '../../../lists/columns/headers.ts';
import { valueFromLabel } from '../../../lists/items/value-from-label.ts';
import { type Cell, cellText, isBrokenCell, isEmptyCell, notComputed } from '../file/cells.ts';
import { type DayOrder, readDay } from './dates.ts';
import { importFaultTexts as texts } from './texts.ts';

export interface ReadingOptions {
  /** The order of day and month, by field. */
  dayOrders: Partial<Record<Field, DayOrder>>;
  isFrom1904: boolean;
  /** Whether an empty cell clears the field; otherwise it changes nothing. */
  emptyClears: boolean;
}

/** If `content` is undefined, the field stays unchanged. */
type CellContent = { content: unknown } | { fault: string };

const nothing: CellContent = { content: undefined };
/** The content of a cleared field. Undefined for label, value, list and order, which cannot be cleared. */
function cleared(field: Field): unknown {
  const name = plainColumns.get(field);
  if (name === undefined) return field.includes(':') ? null : undefined;
  if (name === 'status') return false;
  return hasContent(emptyItem, name) ? undefined : emptyItem[name];
}

export function readCell(field: Field, cell: Cell | undefined, options: ReadingOptions): CellContent {
  if (isBrokenCell(cell)) {
    return { fault: cell.broken === notComputed ? texts.notComputed : texts.brokenCell(cell.broken) };
  }
  if (cell === undefined || isEmptyCell(cell)) {
    return options.emptyClears ? { content: cleared(field) } : nothing;
  }
  return readFull(field, cell, options);
}

function readFull(field: Field, cell: Cell, { dayOrders, isFrom1904 }: ReadingOptions): CellContent {
  const text = cellText(cell);
  const name = keyedColumn(field)?.field ?? plainColumns.get(field);
  if (name === 'value') return { content: text };
  const { holds = 'text', most } = name === undefined ? {} : ruleOf(name);
  switch (holds) {
    case 'day': {
      const day = readDay(cell, dayOrders[field] ?? 'day-first', isFrom1904);
      return day === undefined ? { fault: texts.notADate(text) } : { content: day };
    }
    case 'status': {
      const isRetired = readYesOrNo(cell);
      return isRetired === undefined ? { fault: texts.notYesOrNo(text) } : { content: isRetired };
    }
    case 'number':
      return readWholeNumber(cell, text);
    case 'words':
      return readTags(text);
    case 'wordsByKey':
      return readParents(text);
    default:
      return most === undefined ? { content: oneLine(text) } : readLine(text, most);
  }
}

const oneLine = (text: string) =>
  text
    .normalize('NFC')
    .replace(/\s*[\r\n\u2028\u2029]+\s*/g, ' ')
    .trim();

function readLine(text: string, most: number): CellContent {
  const line = oneLine(text);
  if (brokenRule(line) !== undefined || hasLongRunOfMarks(line)) return { fault: texts.notVisible };
  return hasAtMost(most, line) ? { content: line } : { fault: texts.tooLong(Array.from(line).length, most) };
}

const yes = new Set([
  'yes',
  'y',
  'ja',
  'j',
  'true',
  'wahr',
  '1',
  'x',
  'retired',
  'deaktiviert',
  'stillgelegt',
  'oui',
  'si',
  'vrai',
]);
const no = new Set(['no', 'n', 'nein', 'false', 'falsch', '0', 'active', 'aktiv', 'non', 'faux']);
const checkMarks = /^[✓✔☑✗✘]$/u;

export function readYesOrNo(cell: Cell): boolean | undefined {
  if (typeof cell === 'boolean') return cell;
  const text = cellText(cell);
  if (checkMarks.test(text)) return true;
  if (text === '-' || text === '–') return false;
  const words = plainWords(text);
  return yes.has(words) || (no.has(words) ? false : undefined);
}

function readWholeNumber(cell: Cell, text: string): CellContent {
  const number = typeof cell === 'number' ? cell : /^[-+]?\d+(?:[.,]0+)?$/.test(text) ? Number.parseInt(text, 10) : NaN;
  return Number.isSafeInteger(number) ? { content: number || 0 } : { fault: texts.notANumber(text) };
}

const words = (text: string) => [...new Set(text.split(/[\s,;]+/).filter((word) => word !== ''))].sort();

function readTags(text: string): CellContent {
  const tags = words(text);
  const wrong = tags.find((tag) => !isMachineName(tag));
  if (wrong !== undefined) return { fault: texts.badTag(wrong) };
  return tags.length > 50 ? { fault: texts.tooMany(tags.length, 50) } : { content: tags };
}

function readParents(text: string): CellContent {
  const values = words(text);
  const wrong = values.find((value) => !isValue(value));
  if (wrong !== undefined) return { fault: `${wrong}: ${texts.badValue(valueFromLabel(wrong))}` };
  return values.length > 200 ? { fault: texts.tooMany(values.length, 200) } : { content: values };
}
