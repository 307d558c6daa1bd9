// Renames a value in its row. The typed label is stored here, so that it is kept if the row is no longer rendered.
import { useCallback, useState } from 'react';
import { findLabel, labelKey } from '../../lists/items/item-search.ts';
import { useSaveList } from '../../lists/saving/use-save-list.ts';
import type { Place } from '../../routes.ts';
import type { KeptItem, KeptList } from '../../shell/api.ts';
import { useConsole } from '../../shell/console-context.ts';
import { describeError } from '../../shell/error-note.tsx';
import { askToDiscard, useUnsaved } from '../../shell/unsaved.tsx';
import type { Renaming } from './grid/value-grid.tsx';
import { listTexts } from './texts.ts';

interface Typing extends Renaming {
  /** The item and the list's version when renaming began. */
  item: KeptItem;
  since: number;
}

export function useRenaming({ list, version: newest, items }: KeptList) {
  const { api } = useConsole();
  const save = useSaveList(list);
  const [renaming, setRenaming] = useState<Typing>();
  const isDirty = renaming !== undefined && renaming.typed !== renaming.item.label;
  // The panel of a value opens over this page, so opening it loses no input.
  const staysAt = useCallback(
    (place: Place | undefined) =>
      place !== undefined &&
      ['list', 'value', 'new-value'].includes(place.page) &&
      'list' in place &&
      place.list === list,
    [list],
  );
  useUnsaved(isDirty, staysAt);

  /** Resolves to true if renaming has ended. */
  async function end(): Promise<boolean> {
    if (isDirty && !(await askToDiscard())) return false;
    setRenaming(undefined);
    return true;
  }

  async function start(value: string): Promise<void> {
    if (renaming?.value === value || !(await end())) return;
    const item = items.find((each) => each.value === value);
    if (item !== undefined) setRenaming({ value, item, since: newest, typed: item.label });
  }

  async function saveTyped(isConfirmed = false): Promise<boolean> {
    if (renaming === undefined) return false;
    const { value, item, since } = renaming;
    const label = renaming.typed.trim();
    if (label === '') {
      setRenaming({ ...renaming, fault: listTexts.emptyLabel });
      return false;
    }
    if (label === item.label) return end();
    const sameLabel = labelKey(label) === labelKey(item.label) ? undefined : findLabel(items, label, value);
    if (sameLabel !== undefined && !isConfirmed) {
      setRenaming({ ...renaming, sameLabel });
      return false;
    }
    try {
      const isSaved = await save({
        done: listTexts.renamed(item.label, label),
        values: [value],
        write: (version) => api.changeItem(list, version, value, { label }),
        mine: {
          item,
          since,
          changes: { label },
          write: (version, changes) => api.changeItem(list, version, value, changes),
        },
      });
      if (isSaved) setRenaming((now) => (now?.value === value ? undefined : now));
      return isSaved;
    } catch (error) {
      setRenaming((now) => now && { ...now, fault: faultOf(error) });
      return false;
    }
  }

  return {
    renaming,
    start,
    type: (_: string, typed: string) =>
      setRenaming((now) => now && { ...now, typed, fault: undefined, sameLabel: undefined }),
    save: saveTyped,
    cancel: end,
  };
}

/** The fault that the service found in the label; if there is none, the reason why the request failed. */
function faultOf(error: unknown): string {
  const { faults, text } = describeError(error);
  return faults[0]?.message ?? text;
}
