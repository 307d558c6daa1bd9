// The drafts of one list's grid: editing, pasting, saving and conflicts.
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { FrontdeskError } from '../../../client/src/index.ts';
import { keys } from '../../lists/queries.ts';
import { useSaveList } from '../../lists/saving/use-save-list.ts';
import type { KeptList } from '../../shell/api.ts';
import { useConsole } from '../../shell/console-context.ts';
import { translateSentence } from '../../shell/service/service-sentences.ts';
import { useUnsaved } from '../../shell/unsaved.tsx';
import {
  afterSaving,
  type CellPlace,
  cellKey,
  conflictsIn,
  type Drafts,
  type GridItem,
  keepMine,
  type NewText,
  noDrafts,
  takeTheirs,
  withoutSaved,
  withTexts,
} from './drafts.ts';
import { translationTexts } from './texts.ts';
import { cellOfFault, translationDocument } from './translation-document.ts';
import { applyPaste, type PasteRecord, undoPaste } from './translation-paste.ts';

/** Thrown if a colleague has changed the same cells. The grid shows the conflicts. */
class CellConflict extends Error {}

export function useDrafts(list: KeptList) {
  const { api } = useConsole();
  const client = useQueryClient();
  const save = useSaveList(list.list);
  const [typed, setTyped] = useState(noDrafts);
  const [isSaving, setSaving] = useState(false);
  const [error, setError] = useState<unknown>();
  /** The service's faults by cell. */
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map());
  const lastPaste = useRef<PasteRecord>([]);
  const items = useMemo(() => new Map(list.items.map((item): [string, GridItem] => [item.value, item])), [list.items]);
  const drafts = useMemo(() => withoutSaved(typed, items), [typed, items]);
  const conflicts = useMemo(() => conflictsIn(drafts, items), [drafts, items]);
  useUnsaved(drafts.size > 0);

  function type(texts: readonly NewText[]): void {
    setTyped((before) => withTexts(before, items, texts));
    if (refused.size > 0) setRefused(without(refused, texts));
  }

  function paste(texts: readonly NewText[]): number {
    const { drafts: next, record } = applyPaste(drafts, items, texts);
    setTyped(next);
    setRefused(without(refused, texts));
    lastPaste.current = record;
    return record.length;
  }

  /** Returns false if there is no paste to undo. */
  function undoLastPaste(): boolean {
    const record = lastPaste.current;
    lastPaste.current = [];
    setTyped((before) => undoPaste(before, record));
    return record.length > 0;
  }

  /** Saves these drafts as one change, even if others have changed different cells since. */
  async function saveAll(sent: Drafts): Promise<void> {
    setSaving(true);
    setError(undefined);
    let document = translationDocument(list, sent);
    try {
      await save({
        done: translationTexts.saved(sent.size),
        values: [],
        // Conflicts are not looked for in whole values, because `write` looks for them in each cell.
        findsConflicts: true,
        write(version, latest) {
          const now = new Map(latest.items.map((item): [string, GridItem] => [item.value, item]));
          if (conflictsIn(sent, now).length > 0) throw new CellConflict();
          document = translationDocument({ ...latest, version }, sent);
          return api.apply(document);
        },
      });
      await client.refetchQueries({ queryKey: keys.list(list.list) }, { cancelRefetch: false });
      setTyped((before) => afterSaving(before, sent));
      lastPaste.current = [];
    } catch (reason) {
      const faults = faultsByCell(reason, list.list, document);
      setRefused(faults);
      if (faults.size === 0 && !(reason instanceof CellConflict)) setError(reason);
      await client.refetchQueries({ queryKey: keys.list(list.list) });
    } finally {
      setSaving(false);
    }
  }

  function discard(): void {
    setTyped(noDrafts);
    setRefused(new Map());
    setError(undefined);
  }

  return {
    drafts,
    conflicts,
    refused,
    items,
    isSaving,
    error,
    type,
    paste,
    undoLastPaste,
    saveAll,
    discard,
    closeError: () => setError(undefined),
    keepMine: ({ value, tag }: CellPlace) =>
      setTyped((before) => {
        const item = items.get(value);
        return item === undefined ? before : keepMine(before, item, tag);
      }),
    takeTheirs: (place: CellPlace) => setTyped((before) => takeTheirs(before, place)),
  };
}

export type GridDrafts = ReturnType<typeof useDrafts>;

function without(refused: ReadonlyMap<string, string>, places: readonly CellPlace[]): ReadonlyMap<string, string> {
  const left = new Map(refused);
  for (const place of places) left.delete(cellKey(place));
  return left;
}

function faultsByCell(reason: unknown, list: string, document: Parameters<typeof cellOfFault>[2]): Map<string, string> {
  const faults = new Map<string, string>();
  if (!(reason instanceof FrontdeskError)) return faults;
  for (const { field, message } of reason.errors) {
    const place = cellOfFault(field, list, document);
    if (place !== undefined) faults.set(cellKey(place), translateSentence(message));
  }
  return faults;
}
