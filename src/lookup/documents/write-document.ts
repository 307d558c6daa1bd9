// The lists as a file that, applied again, changes nothing.
import { stringify } from 'yaml';
import { inDisplayOrder } from '../display-order.ts';
import { languagesOf } from '../language.ts';
import type { KeptList } from '../lookup-admin.schema.ts';
import { writeCsv } from './csv.ts';
import { csvColumns } from './read-csv.ts';

export function writeDocument(lists: readonly KeptList[], format: 'yaml' | 'csv', withVersions: boolean): string {
  return format === 'csv' ? writeListsAsCsv(lists) : writeListsAsYaml(lists, withVersions);
}

function writeListsAsYaml(lists: readonly KeptList[], withVersions: boolean): string {
  const content = lists.map((list) => [
    list.list,
    {
      title: list.title,
      ...(list.description !== null && { description: list.description }),
      ...(list.readers !== null && { readers: list.readers }),
      ...(list.keepers !== null && { keepers: list.keepers }),
      ...(list.archived && { archived: true }),
      ...(withVersions && { version: list.version }),
      items: inDisplayOrder(list.items).map(fileItem),
    },
  ]);
  return stringify({ lists: Object.fromEntries(content) }, yamlOptions);
}

const yamlOptions = {
  lineWidth: 0,
  // Items with the same tags share them in memory. No reader of ours takes aliases.
  aliasDuplicateObjects: false,
  // Other tools read YAML 1.1, to which NO is false, and 2027-01-31 a time: such texts are quoted.
  compat: 'yaml-1.1',
} as const;

function fileItem(item: KeptList['items'][number]): object {
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

function writeListsAsCsv(lists: readonly KeptList[]): string {
  const items = lists.flatMap(({ list, items }) => inDisplayOrder(items).map((item) => ({ list, ...item })));
  const languages = languagesOf(items);
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
