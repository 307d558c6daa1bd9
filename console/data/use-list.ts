// A list as it is edited: loaded, saved from the version that was shown, and kept up to date with what others change.
import { useCallback, useEffect, useRef, useState } from 'react';
import { FrontdeskError } from '../../client/src/index.ts';
import type { Admin, KeptList, Step } from './admin.ts';

export type Write = (version: number) => Promise<KeptList>;

export interface Conflict {
  done: string;
  write: Write;
  theirs: Step[];
  /** How many older versions are not among them. */
  leftOut: number;
  version: number;
  settle: (isSaved: boolean) => void;
  fail: (reason: unknown) => void;
}

/** `newest` is the newest version announced; `epoch` grows when an announcement may have been missed. */
export function useList(admin: Admin, name: string, newest: number, epoch: number) {
  const [kept, setKept] = useState<KeptList>();
  const [error, setError] = useState<unknown>();
  const [status, setStatus] = useState('');
  const [conflict, setConflict] = useState<Conflict>();
  const seen = useRef(0);
  const isSaving = useRef(false);

  const show = useCallback((list: KeptList) => {
    // Answers may arrive in another order than they were given.
    if (list.version < seen.current) return;
    seen.current = list.version;
    setKept(list);
  }, []);
  const load = useCallback(
    () =>
      admin.list(name).then((list) => {
        show(list);
        setError(undefined);
      }, setError),
    [admin, name, show],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new epoch is a reason to load again
  useEffect(() => void load(), [load, epoch]);
  useEffect(() => {
    if (newest <= seen.current || seen.current === 0) return;
    const isOwn = isSaving.current;
    void load().then(() => {
      if (!isOwn && seen.current >= newest) setStatus('This list was updated just now.');
    });
  }, [newest, load]);

  /** `done` is shown once it is saved. False when the person decides against it in a conflict; throws what cannot be saved. */
  async function save(done: string, write: Write, version = kept?.version ?? 0): Promise<boolean> {
    setError(undefined);
    setStatus('Saving…');
    isSaving.current = true;
    try {
      show(await write(version));
      setStatus(`${done}.`);
      return true;
    } catch (reason) {
      setStatus('');
      if (reason instanceof FrontdeskError && reason.code === 'version-conflict')
        return askAboutConflict(done, write, reason);
      throw reason;
    } finally {
      isSaving.current = false;
    }
  }

  /** The list has changed meanwhile: shows what others did, and asks whether to save on top of it. */
  function askAboutConflict(done: string, write: Write, { problem }: FrontdeskError): Promise<boolean> {
    const { version, changes: theirs, versionsLeftOut: leftOut = 0 } = problem as VersionConflict;
    void load();
    return new Promise((settle, fail) => setConflict({ done, write, theirs, leftOut, version, settle, fail }));
  }

  async function resolveConflict(isMine: boolean) {
    if (conflict === undefined) return;
    const { done, write, version, settle, fail } = conflict;
    setConflict(undefined);
    if (!isMine) return settle(false);
    try {
      settle(await save(done, write, version));
    } catch (reason) {
      fail(reason);
    }
  }

  /** For what has no form of its own to show an error in. */
  const saveHere = (done: string, write: Write, version?: number) =>
    save(done, write, version).catch((reason: unknown) => {
      setError(reason);
      return false;
    });

  return { kept, error, setError, status, conflict, load, save, saveHere, resolveConflict };
}

/** What the service answers with 412. */
interface VersionConflict {
  version: number;
  changes: Step[];
  versionsLeftOut?: number;
}
