// Lists as files: YAML (and JSON, which is YAML) and CSV, into the same document, with the place of every fault.
import { isCollection, LineCounter, parseDocument, stringify, visit } from 'yaml';
import { faultsIn } from '../http/body.ts';
import type { Fault } from './changes.ts';
import { parseCsv, writeCsv } from './csv.ts';
import { inDisplayOrder } from './display-order.ts';
import { type KeptList, LookupDocument } from './lookup.schema.ts';

export type FileFormat = 'yaml' | 'csv';

export interface FileFault extends Fault {
  line: number;
  column: number;
}

/** The file is wrong; every fault has its place. */
export class WrongFile extends Error {
  readonly faults: FileFault[];

  constructor(faults: FileFault[]) {
    super('the file is wrong');
    this.faults = faults.toSorted((a, b) => a.line - b.line || a.column - b.column);
  }
}

export interface ReadFile {
  document: LookupDocument;
  /** Gives faults that were found later their place in the file. */
  locate(faults: readonly Fault[]): WrongFile;
}

export function readLookupFile(bytes: Uint8Array, format: FileFormat): ReadFile {
  const text = decode(bytes);
  return format === 'csv' ? readCsv(text) : readYaml(text);
}

/** UTF-8, with or without its mark. Anything else would turn letters into others without a word. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const before = new TextDecoder().decode(bytes).split('\ufffd')[0] ?? '';
    const lines = before.split('\n');
    const message = 'is not UTF-8: save the file as "CSV UTF-8" or convert it';
    throw new WrongFile([{ field: '', message, line: lines.length, column: (lines.at(-1) ?? '').length + 1 }]);
  }
}

type Place = { line: number; column: number };

function check(content: unknown, placeOf: (path: string[]) => Place): ReadFile {
  const locate = (faults: readonly Fault[]) =>
    new WrongFile(faults.map((fault) => ({ ...fault, ...placeOf(fault.field.split('.')) })));
  // JavaScript's own name for something else: the schema would pass over it without a word.
  const lists = (content as { lists?: unknown } | null)?.lists;
  if (isObject(lists) && Object.hasOwn(lists, '__proto__')) {
    throw locate([{ field: 'lists.__proto__', message: 'is no name for a list' }]);
  }
  const parsed = LookupDocument.safeParse(content);
  const faults = [...(parsed.success ? [] : faultsIn(parsed.error)), ...valuesTwice(lists)];
  if (parsed.success && faults.length === 0) return { document: parsed.data, locate };
  throw new WrongFile(faults.map(({ path, ...fault }) => ({ ...fault, ...placeOf(path.map(String)) })));
}

/** Looked for in what was read, whatever else is wrong with it. */
function valuesTwice(lists: unknown): ReturnType<typeof faultsIn> {
  return Object.entries(isObject(lists) ? lists : {}).flatMap(([list, content]) => {
    const items = isObject(content) && Array.isArray(content.items) ? content.items : [];
    const values = items.map((item: unknown) => (isObject(item) ? item.value : undefined));
    const seen = new Set<unknown>();
    return values.flatMap((value, index) => {
      const isFirst = !seen.has(value);
      seen.add(value);
      if (value === undefined || isFirst) return [];
      const path = ['lists', list, 'items', index, 'value'];
      return [{ path, field: path.join('.'), message: 'is in this document twice' }];
    });
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function readYaml(text: string): ReadFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const at = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  if (document.errors.length > 0) {
    throw new WrongFile(
      document.errors.map(({ pos, code }) => ({ field: '', message: yamlFault(code), ...at(pos[0]) })),
    );
  }
  /** The node at a path, or the nearest around it. */
  const placeOf = (path: string[]): Place => {
    for (let length = path.length; length > 0; length--) {
      const node = document.getIn(path.slice(0, length).map(asIndex), true) as { range?: [number] } | undefined;
      if (node?.range !== undefined) return at(node.range[0]);
    }
    return at(isCollection(document.contents) ? (document.contents.range?.[0] ?? 0) : 0);
  };
  // An alias can make a small file an endless one, and no list needs any.
  const aliases: FileFault[] = [];
  visit(document, {
    Alias: (_, { range }) => void aliases.push({ field: '', message: 'must be no alias', ...at(range?.[0] ?? 0) }),
  });
  if (aliases.length > 0) throw new WrongFile(aliases);
  return check(document.toJS(), placeOf);
}

const asIndex = (part: string) => (/^\d+$/.test(part) ? Number(part) : part);

function yamlFault(code: string): string {
  return `is not well-formed (${code.toLowerCase().replaceAll('_', ' ')})`;
}

const csvColumns = ['list', 'value', 'label', 'sortOrder', 'validFrom', 'validTo', 'retired', 'replacedBy'];

function readCsv(text: string): ReadFile {
  const { rows, fault } = parseCsv(text);
  if (fault !== undefined) throw new WrongFile([{ field: '', ...fault }]);
  const [head = [], ...body] = rows;
  const names = head.map(({ text: name }) => name.trim());
  const headWrong = headFaults(names).map((each) => {
    const cell = head[names.lastIndexOf(each.field)];
    return { ...each, line: cell?.line ?? 1, column: cell?.column ?? 1 };
  });
  // Without its columns nothing below can be understood.
  if (headWrong.length > 0) throw new WrongFile(headWrong);
  const faults: FileFault[] = [];
  const lists: Record<string, { items: object[] }> = Object.create(null);
  const places = new Map<string, Place>();
  for (const row of body) {
    const cells = new Map(names.map((name, index) => [name, row[index]]));
    const first: Place = { line: row[0]?.line ?? 1, column: row[0]?.column ?? 1 };
    if (row.length !== names.length) {
      faults.push({ field: '', message: `has ${row.length} fields where the head has ${names.length}`, ...first });
      continue;
    }
    const list = cells.get('list')?.text ?? '';
    lists[list] ??= { items: [] };
    const path = `lists.${list}.items.${lists[list].items.length}`;
    for (const [name, cell] of cells) places.set(`${path}.${name.replace(/^label:/, 'labels.')}`, cell ?? first);
    places.set(path, first);
    places.set(`lists.${list}`, places.get(`lists.${list}`) ?? first);
    lists[list].items.push(itemOf(cells));
  }
  const placeOf = (path: string[]): Place => {
    for (let length = path.length; length > 0; length--) {
      const place = places.get(path.slice(0, length).join('.'));
      if (place !== undefined) return { line: place.line, column: place.column };
    }
    return { line: 1, column: 1 };
  };
  let file: ReadFile | undefined;
  try {
    file = check({ lists: { ...lists } }, placeOf);
  } catch (error) {
    if (!(error instanceof WrongFile)) throw error;
    faults.push(...error.faults);
  }
  if (file === undefined || faults.length > 0) throw new WrongFile(faults);
  return file;
}

function headFaults(names: readonly string[]): Fault[] {
  const unknown = names.filter((name) => !csvColumns.includes(name) && !/^label:./.test(name));
  const missing = ['list', 'value', 'label'].filter((name) => !names.includes(name));
  const twice = names.filter((name, index) => names.indexOf(name) < index);
  return [
    ...unknown.map((name) => ({ field: name, message: 'is no column of ours' })),
    ...missing.map((name) => ({ field: name, message: 'is a column that must be there' })),
    ...twice.map((name) => ({ field: name, message: 'is a column twice' })),
  ];
}

/** An empty cell says nothing. */
function itemOf(cells: ReadonlyMap<string, { text: string } | undefined>): object {
  const given = [...cells].map(([name, cell]) => [name, cell?.text ?? ''] as const).filter(([, text]) => text !== '');
  const labels = given.filter(([name]) => name.startsWith('label:')).map(([name, text]) => [name.slice(6), text]);
  const others = given.filter(([name]) => name !== 'list' && !name.startsWith('label:'));
  return {
    ...Object.fromEntries(others.map(([name, text]) => [name, typedCell(name, text)])),
    ...(labels.length > 0 && { labels: Object.fromEntries(labels) }),
  };
}

/** What cannot be turned stays a text, and is refused as one by the schema, with its place. */
function typedCell(name: string, text: string): unknown {
  if (name === 'sortOrder' && /^-?\d+$/.test(text)) return Number(text);
  if (name === 'retired' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return text;
}

/** The lists as a file that, applied again, changes nothing. */
export function writeLookupFile(lists: readonly KeptList[], format: FileFormat, withVersions: boolean): string {
  return format === 'csv' ? writeListsAsCsv(lists) : writeListsAsYaml(lists, withVersions);
}

function writeListsAsYaml(lists: readonly KeptList[], withVersions: boolean): string {
  const content = lists.map(({ list, title, version, items }) => [
    list,
    { title, ...(withVersions && { version }), items: inDisplayOrder(items).map(fileItem) },
  ]);
  return stringify({ lists: Object.fromEntries(content) }, { lineWidth: 0 });
}

function fileItem(item: KeptList['items'][number]): object {
  return {
    value: item.value,
    label: item.label,
    sortOrder: item.sortOrder,
    ...(Object.keys(item.labels).length > 0 && { labels: item.labels }),
    ...(item.validFrom !== null && { validFrom: item.validFrom }),
    ...(item.validTo !== null && { validTo: item.validTo }),
    ...(item.status === 'retired' && { retired: true }),
    ...(item.replacedBy !== null && { replacedBy: item.replacedBy }),
  };
}

function writeListsAsCsv(lists: readonly KeptList[]): string {
  const items = lists.flatMap(({ list, items }) => inDisplayOrder(items).map((item) => ({ list, ...item })));
  const languages = [...new Set(items.flatMap(({ labels }) => Object.keys(labels)))].sort();
  const head = [...csvColumns, ...languages.map((language) => `label:${language}`)];
  const rows = items.map((item) => [
    item.list,
    item.value,
    item.label,
    String(item.sortOrder),
    item.validFrom ?? '',
    item.validTo ?? '',
    item.status === 'retired' ? 'true' : '',
    item.replacedBy ?? '',
    ...languages.map((language) => item.labels[language] ?? ''),
  ]);
  return writeCsv([head, ...rows]);
}
