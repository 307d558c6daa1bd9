// Saves changes from a page. They are shown immediately, confirmed by a toast with Undo, and rolled back on failure.
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { FrontdeskError } from '../../../client/src/index.ts';
import type { Api, HistoryEntry, KeptList } from '../../shell/api.ts';
import { currentPage, useConsole } from '../../shell/console-context.ts';
import { createStore } from '../../shell/store.ts';
import { showDone, showError } from '../../shell/toasts.ts';
import { keys, listChanged } from '../queries.ts';
import { sharedListTexts } from '../texts.ts';
import {
  ChangedSince,
  type Conflict,
  type ConflictAnswer,
  type ListChange,
  saveChange,
  undoChange,
  undoEntry,
} from './save-list.ts';

interface ConflictQuestion {
  conflict: Conflict;
  answer: (answer: ConflictAnswer) => void;
}

/** The conflict that the user is asked about; app.tsx shows it. */
export const conflictQuestion = createStore<ConflictQuestion | undefined>(undefined);

function askAboutConflict(conflict: Conflict): Promise<ConflictAnswer> {
  conflictQuestion.get()?.answer(undefined);
  return new Promise((resolve) => {
    conflictQuestion.set({
      conflict,
      answer(answer) {
        conflictQuestion.set(undefined);
        resolve(answer);
      },
    });
  });
}

/** The versions saved in this tab, by list. They are not announced as changes by others. */
export const ownVersions = new Map<string, Set<number>>();

function remember(list: string, version: number): void {
  const versions = ownVersions.get(list) ?? new Set();
  ownVersions.set(list, versions.add(version));
}

/**
 * Undoes a change, then shows the message `undone` or an error. If a later change prevents the undo, the error says who
 * made it: "you" if it was the user, whose employee ID is `mine`.
 */
export async function undoOrShowError(
  undone: string,
  undo: () => Promise<unknown>,
  onEnd: () => void,
  mine: string,
): Promise<void> {
  try {
    await undo();
    showDone(undone);
  } catch (error) {
    await showUndoError(error, () => undoOrShowError(undone, undo, onEnd, mine), mine);
  } finally {
    onEnd();
  }
}

async function showUndoError(error: unknown, retry: () => unknown, mine: string): Promise<void> {
  const text = await reasonOf(error, mine);
  if (text === undefined) showError(error, retry, sharedListTexts.notUndone);
  else showError(new Error(text), undefined, sharedListTexts.notUndone);
}

/**
 * Describes the later change or the refused content that prevents an undo; undefined if the undo failed for another
 * reason. The code for sentences is loaded when needed.
 */
async function reasonOf(error: unknown, mine: string): Promise<string | undefined> {
  if (error instanceof ChangedSince) {
    if (error.later === undefined) return error.message;
    return (await import('../sentences/history-sentences.ts')).describeLater(error.later, mine);
  }
  if (!(error instanceof FrontdeskError) || error.errors.length === 0) return undefined;
  const [{ describeRefusal }, { fieldName }] = await Promise.all([
    import('../sentences/history-sentences.ts'),
    import('../items/field-texts.ts'),
  ]);
  return describeRefusal(error.errors, fieldName);
}

interface SaveList {
  /** Resolves to false if the user keeps editing. Throws if the change cannot be saved. */
  (change: ListChange): Promise<boolean>;
  /** For changes without a form: shows a failure as a toast. */
  orShowError: (change: ListChange) => Promise<boolean>;
}

export function useSaveList(list: string): SaveList {
  const { api, me } = useConsole();
  const client = useQueryClient();
  return useMemo(() => createSaveList(api, client, list, me.sub), [api, client, list, me.sub]);
}

/**
 * Undoes an entry of the history as a new version, which can be undone in turn. With `value`, undoes only the entry's
 * change to that value.
 */
export function useUndoEntry(list: string, value?: string): (entry: HistoryEntry) => Promise<void> {
  const { api, me } = useConsole();
  const save = useSaveList(list);
  return async function undo(entry) {
    try {
      await save({
        done: sharedListTexts.changeUndone(entry.version),
        undone: sharedListTexts.changeReapplied(entry.version),
        values: [],
        findsConflicts: true,
        write: (_, latest) => undoEntry(api, latest, entry, value),
      });
    } catch (error) {
      await showUndoError(error, () => undo(entry), me.sub);
    }
  };
}

function createSaveList(api: Api, client: QueryClient, name: string, mine: string): SaveList {
  const key = keys.list(name);

  /** Shows the list unless a newer version is shown, since answers may arrive out of order. */
  function show(list: KeptList): void {
    client.setQueryData<KeptList>(key, (shown) =>
      shown === undefined || shown.version <= list.version ? list : shown,
    );
  }

  async function save(change: ListChange): Promise<boolean> {
    const [page, at] = [currentPage(), performance.now()];
    const list = client.getQueryData<KeptList>(key) ?? (await api.list(name));
    if (change.optimistic !== undefined) {
      await client.cancelQueries({ queryKey: key });
      client.setQueryData(key, change.optimistic(list));
    }
    const rollBack = () => {
      client.setQueryData<KeptList>(key, (shown) => (shown?.version === list.version ? list : shown));
      listChanged(client, name);
    };
    try {
      const saved = await saveChange({ api, list, change, ask: askAboutConflict });
      if (saved === undefined) {
        rollBack();
        return false;
      }
      remember(name, saved.version);
      if (saved.list !== undefined) show(saved.list);
      listChanged(client, name);
      const done = saved.children === 0 ? change.done : `${change.done} (${sharedListTexts.children(saved.children)})`;
      // Without a new version, there is nothing to undo.
      if (saved.version === saved.before.version) showDone(done);
      else {
        const undo = () => undoChange(api, saved, change.isSettings);
        const undone = change.undone ?? sharedListTexts.undone(change.done);
        showDone(done, { page, at, run: () => undoOrShowError(undone, undo, () => listChanged(client, name), mine) });
      }
      return true;
    } catch (error) {
      rollBack();
      throw error;
    }
  }

  function orShowError(change: ListChange): Promise<boolean> {
    return save(change).catch((error: unknown) => {
      showError(error, () => orShowError(change), sharedListTexts.notSaved);
      return false;
    });
  }

  return Object.assign(save, { orShowError });
}
