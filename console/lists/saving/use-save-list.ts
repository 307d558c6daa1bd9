// Saving changes of a list from a page: shown at once, confirmed by a toast with Undo, rolled back when it fails.
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useConsole } from '../../shell/console-context.ts';
import { shared } from '../../parts/texts.ts';
import type { Api, KeptList } from '../../shell/api.ts';
import { keys, listChanged } from '../queries.ts';
import {
  ChangedSince,
  type Conflict,
  type ConflictAnswer,
  type ListChange,
  saveChange,
  undoChange,
} from './save-list.ts';
import { createStore } from '../../shell/store.ts';
import { showDone, showError } from '../../shell/toasts.ts';

interface ConflictQuestion {
  conflict: Conflict;
  answer: (answer: ConflictAnswer) => void;
}

/** The conflict that is open; panels/conflict-dialog.tsx shows it. */
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

/** The versions that were saved here, by list: a page says who made the others. */
export const ownVersions = new Map<string, Set<number>>();

function remember(list: string, version: number): void {
  const versions = ownVersions.get(list) ?? new Set();
  ownVersions.set(list, versions.add(version));
}

export interface SaveList {
  /** False when the person goes on editing. Throws what cannot be saved. */
  (change: ListChange): Promise<boolean>;
  /** The same for what has no form of its own to show an error in. */
  orTell: (change: ListChange) => Promise<boolean>;
}

export function useSaveList(list: string): SaveList {
  const { api } = useConsole();
  const client = useQueryClient();
  return useMemo(() => createSaveList(api, client, list), [api, client, list]);
}

function createSaveList(api: Api, client: QueryClient, name: string): SaveList {
  const key = keys.list(name);

  /** Answers may arrive in another order than they were given. */
  function show(list: KeptList): void {
    client.setQueryData<KeptList>(key, (shown) =>
      shown === undefined || shown.version <= list.version ? list : shown,
    );
  }

  async function save(change: ListChange): Promise<boolean> {
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
      // Nothing was different: there is nothing to undo.
      const done = saved.children === 0 ? change.done : `${change.done} (${shared.children(saved.children)})`;
      if (saved.version === saved.before.version) showDone(done);
      else showDone(done, () => undo(change, saved));
      return true;
    } catch (error) {
      rollBack();
      throw error;
    }
  }

  async function undo(change: ListChange, saved: NonNullable<Awaited<ReturnType<typeof saveChange>>>): Promise<void> {
    try {
      await undoChange(api, saved, change.isSettings);
      showDone(shared.undone(change.done));
    } catch (error) {
      if (error instanceof ChangedSince) showError(new Error(shared.changedSince), undefined, shared.notUndone);
      else showError(error, () => undo(change, saved), shared.notUndone);
    } finally {
      listChanged(client, name);
    }
  }

  function orTell(change: ListChange): Promise<boolean> {
    return save(change).catch((error: unknown) => {
      showError(error, () => orTell(change), shared.notSaved);
      return false;
    });
  }

  return Object.assign(save, { orTell });
}
