// Reads a document of lists: YAML, JSON and CSV become the same shape, and every fault has its line and column. The time
// needed grows linearly with the size of the document.
import type { z } from 'zod';
import { isObject } from '../../base/guards.ts';
import { plainTexts } from '../../http/fault-text.ts';
import { faultsIn } from '../../http/parse.ts';
import {
  DocumentItem,
  DocumentList,
  DocumentOutline,
  type LookupDocument,
} from '../changing/lookup-document.schema.ts';
import type { Fault } from '../rules/change.ts';
import { NewListName } from '../stored/fields.schema.ts';
import { Faults, indexLines, WrongFile } from './faults.ts';
import { readCsvContent } from './read-csv.ts';
import { readJsonTree } from './read-json.ts';
import { readYamlTree } from './read-yaml.ts';
import { type Content, offsetOf, plainValue, texts } from './tree.ts';

export type FileFormat = 'yaml' | 'json' | 'csv';

export interface ReadDocument {
  document: LookupDocument;
  /** Adds line and column to faults that were found after the document was read. */
  locate(faults: readonly Fault[]): WrongFile;
}

const mostLists = 1000;

/** The parameter `mirror` overrides the document's own `mirror`. */
export function readDocument(
  bytes: Uint8Array,
  format: FileFormat,
  mirror?: boolean,
  mostItems = Number.POSITIVE_INFINITY,
): ReadDocument {
  const text = decode(bytes, format);
  const faults = new Faults();
  const read = () => (format === 'csv' ? readCsvContent(text, faults) : readTree(text, format));
  const checked = checkDocument(read(), faults, mostItems);
  faults.throwIfAny();
  const document = { ...checked, mirror: mirror ?? checked.mirror };
  // Reads the text again, because keeping every part with its position would take far more memory than the document.
  return { document, locate: (later) => locate(later, read()) };
}

/** Accepts only UTF-8, with or without a byte order mark. Decoding anything else would silently change characters. */
function decode(bytes: Uint8Array, format: FileFormat): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const before = new TextDecoder().decode(bytes).split('\ufffd', 1)[0] ?? '';
    const message = format === 'csv' ? 'Not UTF-8: save the file as "CSV UTF-8"' : 'Not UTF-8';
    throw new WrongFile([{ field: '', message, ...indexLines(before)(before.length) }]);
  }
}

function readTree(text: string, format: 'yaml' | 'json'): Content {
  const root = format === 'json' ? readJsonTree(text) : readYamlTree(text);
  const placeAt = indexLines(text);
  return { value: plainValue(root), placesOf: (path) => [placeAt(offsetOf(root, path))] };
}

function locate(later: readonly Fault[], { placesOf }: Content): WrongFile {
  return new WrongFile(
    later.flatMap((fault) => placesOf(fault.field.split('.')).map((place) => ({ ...fault, ...place }))),
  );
}

/**
 * Checks each part on its own. With a single schema, an invalid list name would hide the other faults of that list.
 */
function checkDocument({ value, placesOf }: Content, faults: Faults, mostItems: number): LookupDocument {
  const refuse = (path: PropertyKey[], message: string) => {
    for (const place of placesOf(path)) faults.add(path, message, place);
  };
  function check<S extends z.ZodType>(schema: S, part: unknown, path: PropertyKey[]): z.output<S> | undefined {
    const parsed = schema.safeParse(part, plainTexts);
    if (parsed.success) return parsed.data;
    for (const fault of faultsIn(parsed.error)) refuse([...path, ...fault.path], fault.message);
    return undefined;
  }

  const outline = check(DocumentOutline, value, []);
  const entries = Object.entries(outline?.lists ?? {});
  if (entries.length > mostLists) {
    const [place = { line: 1, column: 1 }] = placesOf(['lists']);
    throw new WrongFile([{ field: 'lists', message: `At most ${mostLists} lists`, ...place }]);
  }
  let count = 0;
  const lists = entries.map(([name, part]) => {
    const path = ['lists', name];
    check(NewListName, name, path);
    const list = check(DocumentList, part, path);
    count += list?.items?.length ?? 0;
    if (count > mostItems) throw tooMuch(`At most ${mostItems} items at once: split the document`);
    const seen = new Set<unknown>();
    const items = list?.items?.flatMap((item, index) => {
      const itemPath = [...path, 'items', index];
      const value = isObject(item) ? item.value : undefined;
      if (value !== undefined && seen.has(value)) refuse([...itemPath, 'value'], texts.twice);
      seen.add(value);
      return check(DocumentItem, item, itemPath) ?? [];
    });
    return [name, { ...list, items }] as const;
  });
  return { mirror: outline?.mirror, lists: Object.fromEntries(lists) };
}

const tooMuch = (message: string) => new WrongFile([{ field: 'lists', message, line: 1, column: 1 }]);

/** The separators of each format, and the maximum number in a document. In CSV, spaces separate tags and parents. */
const separators: Record<FileFormat, { signs: string; most: number }> = {
  yaml: { signs: '\n,:-?[]{}!&*|>#"\'', most: 500_000 },
  json: { signs: ',:[{', most: 600_000 },
  csv: { signs: '\n\r,;\t "', most: 1_000_000 },
};

/**
 * Refuses a document that would need far more memory than others of its size. Checked before it is parsed, because parsing
 * creates an object for each part. A list of 50,000 items contains about half of the permitted parts.
 */
export function expectFewParts(bytes: Uint8Array, format: FileFormat): void {
  const { signs, most } = separators[format];
  const isSign = new Uint8Array(256);
  for (const sign of new TextEncoder().encode(signs)) isSign[sign] = 1;
  let count = 0;
  for (const byte of bytes) count += isSign[byte] ?? 0;
  if (count > most) throw tooMuch('Too many values at once: split the document');
}
