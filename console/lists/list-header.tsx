// What every page of a list shows above its content.
import { Archive, Lock } from 'lucide-react';
import { useState } from 'react';
import { FrontdeskError } from '../../client/src/index.ts';
import { addressOf, type Place } from '../routes.ts';
import { useList, useLists } from './queries.ts';
import { sharedListTexts } from './texts.ts';

type ListTab = 'list' | 'translations' | 'history' | 'list-import' | 'settings';

const tabs: [ListTab, string][] = [
  ['list', sharedListTexts.values],
  ['translations', sharedListTexts.translations],
  ['history', sharedListTexts.history],
  ['list-import', sharedListTexts.import],
  ['settings', sharedListTexts.settings],
];

/** Tabs for the pages of one list, and its state. Import is shown to those who may change the list. */
export function ListTabs({ list, current, mayKeep }: { list: string; current: ListTab; mayKeep: boolean }) {
  return (
    <>
      <nav className="tabs" aria-label={sharedListTexts.listSections}>
        {tabs
          .filter(([page]) => mayKeep || page !== 'list-import')
          .map(([page, name]) => (
            <a
              key={page}
              href={addressOf({ page, list } as Place)}
              {...(page === current && { 'aria-current': 'page' as const })}
            >
              {name}
            </a>
          ))}
      </nav>
      <ListState list={list} hasForm={current === 'list-import'} />
    </>
  );
}

/**
 * Shown on every page of a list: that it is archived, or can no longer be read. With `hasForm`, also that input can no
 * longer be saved; pages without a form say that they are read-only themselves.
 */
export function ListState({ list, hasForm = false }: { list: string; hasForm?: boolean }) {
  const { data, error } = useList(list);
  const { mayKeep, couldKeep } = useMayKeep(list);
  const isLost = data !== undefined && isRefusal(error);
  // Screen readers announce a status only if its element existed before its text.
  return (
    <div role="status">
      {isLost && <Note Icon={Lock} text={sharedListTexts.accessLost} />}
      {!isLost && hasForm && couldKeep && !mayKeep && <Note Icon={Lock} text={sharedListTexts.rightsLost} />}
      {!isLost && data?.archived === true && (
        <Note Icon={Archive} text={mayKeep ? sharedListTexts.listArchived : sharedListTexts.listArchivedReadOnly} />
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

/**
 * `couldKeep` stays true while the page is open: a form stays, with what was typed, when its user loses the right to
 * save it.
 */
export function useMayKeep(list: string): { mayKeep: boolean; couldKeep: boolean } {
  const mayKeep = useLists().data?.find((each) => each.list === list)?.mayKeep ?? false;
  const [couldKeep, setCouldKeep] = useState(mayKeep);
  if (mayKeep && !couldKeep) setCouldKeep(true);
  return { mayKeep, couldKeep };
}
