import { Archive, Lock } from 'lucide-react';
import { useState } from 'react';
import { FrontdeskError } from '../../client/src/index.ts';
import { useList, useLists } from './queries.ts';
import { shared } from '../parts/texts.ts';

/**
 * What has to be known of a list on each of its pages: that it is archived, or can no longer be read. `hasForm`: where
 * something is typed that can no longer be saved; other pages say in any case that they are read only.
 */
export function ListState({ list, hasForm = false }: { list: string; hasForm?: boolean }) {
  const { data, error } = useList(list);
  const { mayKeep, couldKeep } = useMayKeep(list);
  const isLost = data !== undefined && isRefusal(error);
  // Announced only where it is there before its text is.
  return (
    <div role="status">
      {isLost && <Note Icon={Lock} text={shared.accessLost} />}
      {!isLost && hasForm && couldKeep && !mayKeep && <Note Icon={Lock} text={shared.rightsLost} />}
      {!isLost && data?.archived === true && (
        <Note Icon={Archive} text={mayKeep ? shared.listArchived : shared.listArchivedReadOnly} />
      )}
    </div>
  );
}

const Note = ({ Icon, text }: { Icon: typeof Lock; text: string }) => (
  <div className="note warning">
    <Icon aria-hidden="true" size={18} />
    <div className="note-body">{text}</div>
  </div>
);

const isRefusal = (error: unknown) => error instanceof FrontdeskError && (error.status === 403 || error.status === 404);

/** `couldKeep` stays true while the page is open: a form whose person loses their rights stays, with what they typed. */
export function useMayKeep(list: string): { mayKeep: boolean; couldKeep: boolean } {
  const mayKeep = useLists().data?.find((each) => each.list === list)?.mayKeep ?? false;
  const [couldKeep, setCouldKeep] = useState(mayKeep);
  if (mayKeep && !couldKeep) setCouldKeep(true);
  return { mayKeep, couldKeep };
}
