// A document as text in each format.
import type { Document, DocumentItem, DocumentList } from './document.ts';
import type { DocumentFormat } from './operations.ts';

type Lists = Readonly<Record<string, DocumentList>>;

const types = { json: 'application/json', yaml: 'application/yaml', csv: 'text/csv' };

export function writeDocument(document: Document, format: DocumentFormat): { type: string; text: string } {
  const write = {
    json: () => JSON.stringify(document),
    // Copied, because an object that occurs twice would be written as an alias.
    yaml: () => Bun.YAML.stringify(JSON.parse(JSON.stringify(document)), null, 2),
    csv: () => writeCsv(document.lists),
  };
  return { type: types[format], text: write[format]() };
}

/** Leaves out what CSV cannot express: nulls (an empty cell changes nothing), settings, versions, and lists without items. */
export function withoutNulls(lists: Lists): Lists {
  const kept = Object.entries(lists).filter(([, { items = [] }]) => items.length > 0);
  return Object.fromEntries(kept.map(([name, { items = [] }]) => [name, { items: items.map(withoutEmpty) }]));
}

function withoutEmpty<T extends object>(object: T): T {
  const kept = Object.entries(object).flatMap(([name, part]) => {
    if (part === null || (Array.isArray(part) && part.length === 0)) return [];
    return [[name, typeof part === 'object' && !Array.isArray(part) ? withoutEmpty(part) : part]];
  });
  return Object.fromEntries(kept) as T;
}

const plainColumns = [
  'value',
  'label',
  'sortOrder',
  'validFrom',
  'validTo',
  'retired',
  'replacedBy',
  'description',
  'tags',
] as const;
const columnsByKey = { labels: 'label', codes: 'code', parents: 'parent' } as const;

function writeCsv(lists: Lists): string {
  const rows = Object.entries(lists).flatMap(([list, { items = [] }]) =>
    items.map((item) => new Map([['list', list], ...cellsOf(item)])),
  );
  const head = [...new Set(['list', ...plainColumns, ...rows.flatMap((row) => [...row.keys()])])];
  const lines = rows.map((row) => head.map((column) => row.get(column) ?? ''));
  return [head, ...lines].map((cells) => cells.join(',')).join('\n');
}

/** Returns the columns of an item and their cells. Tags, and the values of a parent, are separated by spaces. */
function cellsOf(item: DocumentItem): [string, string][] {
  const write = (cell: unknown) => (Array.isArray(cell) ? cell.join(' ') : String(cell ?? ''));
  const named = Object.entries(columnsByKey) as ['labels' | 'codes' | 'parents', string][];
  return [
    ...plainColumns.map((column): [string, string] => [column, write(item[column])]),
    ...named.flatMap(([field, column]) =>
      Object.entries(item[field] ?? {}).map(([key, cell]): [string, string] => [`${column}:${key}`, write(cell)]),
    ),
  ];
}
