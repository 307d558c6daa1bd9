// A document as a file.
import type { DocumentItem, DocumentList } from './document.ts';
import type { DocumentFormat } from './operations.ts';

type Document = Readonly<Record<string, DocumentList>>;

const types = { json: 'application/json', yaml: 'application/yaml', csv: 'text/csv' };

export function writeDocument(lists: Document, format: DocumentFormat): { type: string; text: string } {
  const write = { json: () => JSON.stringify({ lists }), yaml: () => writeYaml(lists), csv: () => writeCsv(lists) };
  return { type: types[format], text: write[format]() };
}

const writeYaml = (lists: Document) => Bun.YAML.stringify({ lists }, null, 2);

/** In CSV an empty cell changes nothing: it has no nulls, no titles, no versions and no lists without items. */
export function withoutNulls(lists: Document): Document {
  const defined = (object: object) => Object.fromEntries(Object.entries(object).filter(([, part]) => part !== null));
  const kept = Object.entries(lists).filter(([, { items }]) => items.length > 0);
  return Object.fromEntries(
    kept.map(([name, { items }]) => [
      name,
      {
        items: items.map(({ codes: _, tags: __, description: ___, parents: ____, ...item }) => ({
          ...(defined(item) as DocumentItem),
          ...(item.labels && { labels: defined(item.labels) as Record<string, string> }),
        })),
      },
    ]),
  );
}

const plainColumns = ['value', 'label', 'sortOrder', 'validFrom', 'validTo', 'retired', 'replacedBy'] as const;

function writeCsv(lists: Document): string {
  const rows = Object.entries(lists).flatMap(([list, { items }]) => items.map((item) => ({ list, ...item })));
  const tags = [...new Set(rows.flatMap(({ labels }) => Object.keys(labels ?? {})))];
  const head = ['list', ...plainColumns, ...tags.map((tag) => `label:${tag}`)];
  const lines = rows.map((row) => [
    row.list,
    ...plainColumns.map((column) => row[column] ?? ''),
    ...tags.map((tag) => row.labels?.[tag] ?? ''),
  ]);
  return [head, ...lines].map((cells) => cells.join(',')).join('\n');
}
