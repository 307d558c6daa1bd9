// A document as a file.
import type { Document, DocumentItem, DocumentList } from './document.ts';
import type { DocumentFormat } from './operations.ts';

type Lists = Readonly<Record<string, DocumentList>>;

const types = { json: 'application/json', yaml: 'application/yaml', csv: 'text/csv' };

export function writeDocument(document: Document, format: DocumentFormat): { type: string; text: string } {
  const write = {
    json: () => JSON.stringify(document),
    // Copied, so that nothing is in it twice: that would be written as an alias.
    yaml: () => Bun.YAML.stringify(JSON.parse(JSON.stringify(document)), null, 2),
    csv: () => writeCsv(document.lists),
  };
  return { type: types[format], text: write[format]() };
}

/** In CSV an empty cell changes nothing: it has no nulls, no titles, no versions and no lists without items. */
export function withoutNulls(lists: Lists): Lists {
  const defined = (object: object) => Object.fromEntries(Object.entries(object).filter(([, part]) => part !== null));
  const kept = Object.entries(lists).filter(([, { items = [] }]) => items.length > 0);
  return Object.fromEntries(
    kept.map(([name, { items = [] }]) => [
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

function writeCsv(lists: Lists): string {
  const rows = Object.entries(lists).flatMap(([list, { items = [] }]) => items.map((item) => ({ list, ...item })));
  const tags = [...new Set(rows.flatMap(({ labels }) => Object.keys(labels ?? {})))];
  const head = ['list', ...plainColumns, ...tags.map((tag) => `label:${tag}`)];
  const lines = rows.map((row) => [
    row.list,
    ...plainColumns.map((column) => row[column] ?? ''),
    ...tags.map((tag) => row.labels?.[tag] ?? ''),
  ]);
  return [head, ...lines].map((cells) => cells.join(',')).join('\n');
}
