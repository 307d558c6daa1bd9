// Renaming a value in its row. What is typed is kept here, whatever happens to the row.
import { useCallback, useState } from 'react';
import { useConsole } from '../../shell/console-context.ts';
import type { KeptItem, KeptList } from '../../shell/api.ts';
import { askToDiscard, useUnsaved } from '../../shell/unsaved.ts';
import { useSaveList } from '../../lists/saving/use-save-list.ts';
import { describeError } from '../../shell/error-note.tsx';
import type { Place } from '../../routes.ts';
import { listTexts } from './texts.ts';
import type { Renaming } from './grid/value-grid.tsx';

interface Typing extends Renaming {
  /** As it was when renaming began, and the version of the list then. */
  item: KeptItem;
  since: number;
}

export function useRenaming({ list, version: newest, items }: KeptList) {
  const { api } = useConsole();
  const save = useSaveList(list);
  const [renaming, setRenaming] = useState<Typing>();
  const isDirty = renaming !== undefined && renaming.typed !== renaming.item.label;
  // The panel of a value lies over this page: going there loses nothing.
  const staysAt = useCallback(
    (place: Place | undefined) =>
      place !== undefined &&
      ['list', 'value', 'new-value'].includes(place.page) &&
      'list' in place &&
      place.list === list,
    [list],
  );
  useUnsaved(isDirty, staysAt);

  /** True when renaming has ended. */
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

  async function saveTyped(): Promise<boolean> {
    if (renaming === undefined) return false;
    const { value, item, since } = renaming;
    const label = renaming.typed.trim();
    if (label === '') {
      setRenaming({ ...renaming, fault: listTexts.emptyLabel });
      return false;
    }
    if (label === item.label) return end();
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
    type: (_: string, typed: string) => setRenaming((now) => now && { ...now, typed, fault: undefined }),
    save: saveTyped,
    cancel: end,
  };
}

/** What the service says about the label, or why it could not be asked. */
function faultOf(error: unknown): string {
  const { faults, text } = describeError(error);
  return faults[0]?.message ?? text;
}
