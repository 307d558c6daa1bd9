// Writes lists as a file. Applying the file again changes nothing.

import { Pauses } from '../../base/pauses.ts';
import type { KeptItem } from '../rules/item.ts';
import type { KeptList } from '../rules/list.ts';
import { inDisplayOrder } from '../stored/kept-list-answer.ts';
import { writeCsv } from './csv.ts';
import { columnsByKey, csvColumns } from './csv-columns.ts';

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

/** `head` is written before the items. */
interface WritableList {
  name: string;
  head: object;
  items: readonly object[];
}

export async function writeYaml(lists: readonly WritableList[], pauses: Pauses): Promise<string> {
  if (lists.length === 0) return 'lists: {}\n';
  const parts = ['lists:\n'];
  for (const { name, head, items } of lists) {
    parts.push(write({ [name]: head }, '  '), items.length === 0 ? '    items: []\n' : '    items:\n');
    for (const text of await pauses.map(items, (item) => write([item], '      '))) parts.push(text);
  }
  return parts.join('');
}

/** No text contains a line break: see rules/text.ts. */
function write(content: object, indent: string): string {
  // A copy without shared objects and without -0: Bun would write aliases, which our reader refuses, and +0.
  const copy: unknown = JSON.parse(JSON.stringify(content));
  const lines = Bun.YAML.stringify(copy, null, 2).replaceAll(misread, '"$&"');
  return `${lines.replaceAll(/^/gm, indent)}\n`;
}

/**
 * Other tools read YAML 1.1, in which NO is false, 2027-01-31 is a timestamp, and 1_000 and 12:30 are numbers; PyYAML
 * cannot read a lone =. Bun quotes words such as NO. This matches the others, as a key or a value, but not plain integers.
 */
const misread = /(?<=^ *(?:- )?(?:"?[\w.-]+"?: )?)(?!\d+$)(?:[+.]?\d[\d .:_tzb+-]*?|=)(?=$|:$|: )/gim;
