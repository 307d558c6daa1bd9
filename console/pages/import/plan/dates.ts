// Reads dates in the formats of different countries.
import { plainWords } from '../../../lists/columns/headers.ts';
import { type Cell, isDateCell } from '../file/cells.ts';

export type DayOrder = 'day-first' | 'month-first';
/** `ambiguous` means that no date in the column shows the order, so the user is asked. */
type FoundOrder = DayOrder | 'ambiguous' | 'not-needed';

const numeric = /^(\d{1,2})([./-])\s?(\d{1,2})\2\s?(\d{4}|\d{2})$/;
const yearFirst = /^(\d{4})([./-])(\d{1,2})\2(\d{1,2})(?:[T ][\d:.]+Z?)?$/;
const dayNamed = /^(\d{1,2})\s+(\p{L}+)\s+(\d{4}|\d{2})$/u;
const monthNamed = /^(\p{L}+)\s+(\d{1,2})\s+(\d{4})$/u;
/** A spreadsheet's serial day number as text, for the years 1954 to 2119. */
const serialText = /^[2-7]\d{4}$/;

const months = [
  ['january', 'januar', 'jan', 'janner'],
  ['february', 'februar', 'feb'],
  ['march', 'marz', 'mar', 'mrz', 'maerz'],
  ['april', 'apr'],
  ['may', 'mai'],
  ['june', 'juni', 'jun'],
  ['july', 'juli', 'jul'],
  ['august', 'aug'],
  ['september', 'sep', 'sept'],
  ['october', 'oktober', 'oct', 'okt'],
  ['november', 'nov'],
  ['december', 'dezember', 'dec', 'dez'],
];
const monthByName = new Map(months.flatMap((names, index) => names.map((name) => [name, index + 1] as const)));

/** One date with a number over 12 decides for the whole column. Dates with dots always have the day first. */
export function findDayOrder(cells: Iterable<Cell | undefined>): FoundOrder {
  let isAmbiguous = false;
  for (const cell of cells) {
    const match = typeof cell === 'string' ? numeric.exec(cell.trim()) : null;
    if (match === null || match[2] === '.') continue;
    const [first, second] = [Number(match[1]), Number(match[3])];
    if (first > 12 && second <= 12) return 'day-first';
    if (second > 12 && first <= 12) return 'month-first';
    if (first !== second) isAmbiguous = true;
  }
  return isAmbiguous ? 'ambiguous' : 'not-needed';
}

/** Returns a day like `2027-12-31`; undefined if the cell is not a date. */
export function readDay(cell: Cell, order: DayOrder, isFrom1904: boolean): string | undefined {
  if (isDateCell(cell)) return cell.day;
  if (typeof cell === 'number') return serialDay(cell, isFrom1904);
  if (typeof cell !== 'string') return undefined;
  const text = cell.trim();
  const byYear = yearFirst.exec(text);
  if (byYear !== null) return dayOf(byYear[1], byYear[3], byYear[4]);
  const byNumbers = numeric.exec(text);
  if (byNumbers !== null) {
    const isDayFirst = byNumbers[2] === '.' || order === 'day-first';
    const [day, month] = isDayFirst ? [byNumbers[1], byNumbers[3]] : [byNumbers[3], byNumbers[1]];
    return dayOf(byNumbers[4], month, day);
  }
  if (serialText.test(text)) return serialDay(Number(text), isFrom1904);
  return namedDay(plainWords(text));
}

function namedDay(words: string): string | undefined {
  const [, day, name, year] = dayNamed.exec(words) ?? [];
  if (name !== undefined) return dayOf(year, monthByName.get(name), day);
  const [, first, second, last] = monthNamed.exec(words) ?? [];
  return first === undefined ? undefined : dayOf(last, monthByName.get(first), second);
}

type Part = string | number | undefined;

/** Returns undefined for a day that does not exist, such as 31 February. */
function dayOf(yearText: Part, monthText: Part, dayText: Part): string | undefined {
  const [written, month, day] = [Number(yearText), Number(monthText), Number(dayText)];
  const year = String(yearText).length === 2 ? (written < 80 ? 2000 : 1900) + written : written;
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? date.toISOString().slice(0, 10) : undefined;
}

const dayMilliseconds = 24 * 60 * 60 * 1000;
/**
 * Day 0 of the two date systems of workbooks. The 1900 system counts a 29 February 1900, which never existed; this day
 * and earlier ones are refused.
 */
const epochs = { from1900: Date.UTC(1899, 11, 30), from1904: Date.UTC(1904, 0, 1) };
const lastSerial = 2_958_465;

function serialDay(serial: number, isFrom1904: boolean): string | undefined {
  if (!(serial >= 61 && serial <= lastSerial)) return undefined;
  const epoch = isFrom1904 ? epochs.from1904 : epochs.from1900;
  return new Date(epoch + Math.floor(serial) * dayMilliseconds).toISOString().slice(0, 10);
}
