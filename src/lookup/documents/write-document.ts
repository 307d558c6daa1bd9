// Writes lists as a file. Applying the file again changes nothing.

import { Pauses } from '../../base/pauses.ts';
import { columnOf, contentAt, plainColumns } from '../rules/columns.ts';
import { type FieldName, fieldNames, hasContent, type KeptItem, keyedFields, ruleOf } from '../rules/item.ts';
import type { KeptList } from '../rules/list.ts';
import { settingsGiven } from '../rules/list-settings.ts';
import { inDisplayOrder } from '../stored/kept-list-answer.ts';
import { writeCsv } from './csv.ts';
import { csvColumns } from './csv-columns.ts';

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
    const head = { ...settingsGiven(list), ...(withVersions && { version: list.version }) };
    return { name: list.list, head, items: list.items.map(fileItem) };
  });
  return writeYaml(writable, pauses);
}

const firstFields = [
  ...(['value', 'label', 'sortOrder', 'labels', 'description', 'codes', 'tags', 'parents'] as const),
  ...(['validFrom', 'validTo'] as const),
];
const writtenFields = [...new Set<FieldName>([...firstFields, ...fieldNames])].filter(
  (name) => ruleOf(name).column !== null,
);

function fileItem(item: KeptItem): object {
  const file: Record<string, unknown> = {};
  for (const name of writtenFields) {
    if (!hasContent(item, name)) continue;
    if (name === 'status') file.retired = true;
    else file[name] = item[name];
  }
  return file;
}

async function writeListsAsCsv(lists: readonly KeptList[], pauses: Pauses): Promise<string> {
  const items = lists.flatMap(({ list, items }) => items.map((item) => ({ list, item })));
  const plain = csvColumns.map((column) => plainColumns.get(column));
  const keyed = keyedFields.flatMap((field) => {
    const keys = new Set<string>();
    for (const { item } of items) for (const key in item[field]) keys.add(key);
    return [...keys].sort().map((key) => ({ field, key }));
  });
  const rows = await pauses.map(items, ({ list, item }) => [
    ...plain.map((field) => {
      if (field === undefined) return list;
      return field === 'status' ? (item.status === 'retired' ? 'true' : '') : cellOf(item[field]);
    }),
    ...keyed.map(({ field, key }) => cellOf(contentAt(item, field, key))),
  ]);
  return writeCsv([[...csvColumns, ...keyed.map(({ field, key }) => columnOf(field, key))], ...rows], pauses);
}

function cellOf(content: string | number | readonly string[] | null): string {
  return typeof content === 'object' ? (content?.join(' ') ?? '') : String(content);
}

/** `head` contains the settings of the list. */
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

/** Relies on the fact that texts contain no line breaks (see rules/text.ts). */
function write(content: object, indent: string): string {
  // Copies the content, because Bun would write shared objects as aliases, which our reader refuses, and would write
  // some zeros with a sign.
  const copy: unknown = JSON.parse(JSON.stringify(content));
  const lines = Bun.YAML.stringify(copy, null, 2).replaceAll(misread, '"$&"');
  return `${lines.replaceAll(/^/gm, indent)}\n`;
}

/**
 * Keys and values that need quotes, because other tools read YAML 1.1, in which 2027-01-31 is a timestamp, and 1_000 and
 * 12:30 are numbers; PyYAML cannot read a lone =. Bun itself quotes words such as NO. Plain integers are not matched.
 */
const misread = /(?<=^ *(?:- )?(?:"?[\w.-]+"?: )?)(?!\d+$)(?:[+.]?\d[\d .:_tzb+-]*?|=)(?=$|:$|: )/gim;
