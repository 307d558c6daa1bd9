// The lists as a file that, applied again, changes nothing.

import type { KeptItem, KeptList } from '../lookup-admin.schema.ts';
import { Pauses } from '../pauses.ts';
import { inDisplayOrder } from '../reading/display-order.ts';
import { writeCsv } from './csv.ts';
import { columnsByKey, csvColumns } from './csv-columns.ts';
import { type WritableList, writeYaml } from './write-yaml.ts';

export async function writeDocument(
  lists: readonly KeptList[],
  format: 'yaml' | 'csv',
  withVersions: boolean,
): Promise<string> {
  const pauses = new Pauses();
  const ordered: KeptList[] = [];
  for (const list of lists) ordered.push({ ...list, items: await inDisplayOrder(list.items, pauses) });
  if (format === 'csv') return writeListsAsCsv(ordered, pauses);
  const writable = ordered.map((list): WritableList => {
    return { name: list.list, head: headOf(list, withVersions), items: list.items.map(fileItem) };
  });
  return writeYaml(writable, pauses);
}

function headOf(list: KeptList, withVersion: boolean): object {
  return {
    title: list.title,
    ...(list.description !== null && { description: list.description }),
    ...(list.readers !== null && { readers: list.readers }),
    ...(list.keepers !== null && { keepers: list.keepers }),
    ...(list.archived && { archived: true }),
    ...(withVersion && { version: list.version }),
  };
}

function fileItem(item: KeptItem): object {
  return {
    value: item.value,
    label: item.label,
    sortOrder: item.sortOrder,
    ...(hasAny(item.labels) && { labels: item.labels }),
    ...(item.description !== null && { description: item.description }),
    ...(hasAny(item.codes) && { codes: item.codes }),
    ...(item.tags.length > 0 && { tags: item.tags }),
    ...(hasAny(item.parents) && { parents: item.parents }),
    ...(item.validFrom !== null && { validFrom: item.validFrom }),
    ...(item.validTo !== null && { validTo: item.validTo }),
    ...(item.status === 'retired' && { retired: true }),
    ...(item.replacedBy !== null && { replacedBy: item.replacedBy }),
  };
}

const hasAny = (byKey: object) => Object.keys(byKey).length > 0;

async function writeListsAsCsv(lists: readonly KeptList[], pauses: Pauses): Promise<string> {
  const items = lists.flatMap(({ list, items }) => items.map((item) => ({ list, item })));
  const keys = new Map(Object.values(columnsByKey).map((field) => [field, new Set<string>()]));
  for (const { item } of items) {
    for (const [field, found] of keys) for (const key of Object.keys(item[field])) found.add(key);
  }
  const more = Object.entries(columnsByKey).flatMap(([prefix, field]) =>
    Array.from(keys.get(field) ?? [], (key) => ({ name: `${prefix}:${key}`, field, key })).sort((a, b) =>
      a.key < b.key ? -1 : 1,
    ),
  );
  const rows = await pauses.map(items, ({ list, item }) => [
    list,
    item.value,
    item.label,
    String(item.sortOrder),
    item.validFrom ?? '',
    item.validTo ?? '',
    item.status === 'retired' ? 'true' : '',
    item.replacedBy ?? '',
    item.description ?? '',
    item.tags.join(' '),
    ...more.map(({ field, key }) => cellOf(item[field][key])),
  ]);
  return writeCsv([[...csvColumns, ...more.map(({ name }) => name)], ...rows], pauses);
}

function cellOf(content: string | readonly string[] | undefined): string {
  return typeof content === 'string' ? content : (content?.join(' ') ?? '');
}
