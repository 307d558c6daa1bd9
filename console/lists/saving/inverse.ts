// The change that takes a saved change back, on a list that others have changed since. Pure.
import type { KeptItem, KeptList, LookupDocument, SettingsRequest } from '../../shell/api.ts';
import { isSame } from '../same.ts';

type DocumentItem = NonNullable<LookupDocument['lists'][string]['items']>[number];

const byValue = (list: KeptList) => new Map(list.items.map((item) => [item.value, item]));

/** The values that changed between `before` and `saved`, as they were. Undefined where others changed one of them since. */
export function inverseOf(before: KeptList, saved: KeptList, latest: KeptList): DocumentItem[] | undefined {
  const [old, now] = [byValue(before), byValue(latest)];
  const items: DocumentItem[] = [];
  for (const item of saved.items) {
    const was = old.get(item.value);
    if (was !== undefined && isSame(was, item)) continue;
    if (!isSame(item, now.get(item.value))) return undefined;
    // What was added is retired: nothing is deleted.
    items.push(was === undefined ? { value: item.value, label: item.label, retired: true } : stateOf(was, item));
  }
  return items;
}

/** All of an item as it was: keys that were added since are removed. */
function stateOf(was: KeptItem, since: KeptItem): DocumentItem {
  const { id: _, status, retiredAt: __, replacedBy, labels, codes, parents, ...fields } = was;
  return {
    ...fields,
    labels: withRemoved(labels, since.labels),
    codes: withRemoved(codes, since.codes),
    parents: withRemoved(parents, since.parents),
    retired: status === 'retired',
    ...(status === 'retired' && { replacedBy }),
  };
}

function withRemoved<T>(was: Record<string, T>, since: Record<string, T>): Record<string, T | null> {
  return { ...Object.fromEntries(Object.keys(since).map((key) => [key, null])), ...was };
}

const settings = ['title', 'description', 'readers', 'keepers', 'archived'] as const;

/** The settings that changed, as they were. Undefined where others changed one of them since. */
export function settingsBefore(before: KeptList, saved: KeptList, latest: KeptList): SettingsRequest | undefined {
  const changed = settings.filter((name) => !isSame(before[name], saved[name]));
  if (changed.some((name) => !isSame(saved[name], latest[name]))) return undefined;
  return Object.fromEntries(changed.map((name) => [name, before[name]]));
}
