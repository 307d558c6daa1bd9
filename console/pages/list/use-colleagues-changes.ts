// Says who changed the list while it is shown.
import { useEffect, useRef } from 'react';
import { useConsole } from '../../shell/console-context.ts';
import { authorName } from '../../lists/actor.ts';
import { showInfo } from '../../shell/toasts.ts';
import { ownVersions } from '../../lists/saving/use-save-list.ts';
import { listTexts } from './texts.ts';

/** A list that was shown some time ago is loaded again: what changed meanwhile was not just now. */
const isRecent = (at: string) => Date.now() - Date.parse(at) < 120_000;

export function useColleaguesChanges(list: string, version: number | undefined): void {
  const { api, me } = useConsole();
  const known = useRef(version);
  useEffect(() => {
    const before = known.current;
    known.current = version;
    if (before === undefined || version === undefined || version <= before) return;
    if (ownVersions.get(list)?.has(version)) return;
    api.history(list, { before: version + 1, limit: 1 }).then(
      ([entry]) => {
        if (entry !== undefined && entry.by !== me.sub && isRecent(entry.at))
          showInfo(listTexts.updatedBy(authorName(entry)));
      },
      // The list itself is shown: who changed it is in the history.
      () => {},
    );
  }, [api, list, version, me.sub]);
}
