// The header of every page of a list.
import { Archive, Lock } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { FrontdeskError } from '../../client/src/index.ts';
import { Note, PageHeader } from '../parts/content.tsx';
import { addressOf, type Place } from '../routes.ts';
import { useList, useSummary } from './queries.ts';
import { sharedListTexts, shownTitle } from './texts.ts';

type ListTab = 'list' | 'translations' | 'history' | 'list-import' | 'settings';

const tabs: [ListTab, string][] = [
  ['list', sharedListTexts.values],
  ['translations', sharedListTexts.translations],
  ['history', sharedListTexts.history],
  ['list-import', sharedListTexts.import],
  ['settings', sharedListTexts.settings],
];

export const backToLists = { href: addressOf({ page: 'lists' }), name: sharedListTexts.allLists };

interface ListHeaderProps {
  list: string;
  current: ListTab;
  windowTitle?: (title: string) => string;
  text?: ReactNode;
  /** Buttons at the end of the header. */
  children?: ReactNode;
}

/** The list's title and state, and tabs for its pages. Only users who may change the list see the Import tab. */
export function ListHeader({ list, current, windowTitle = (title) => title, text, children }: ListHeaderProps) {
  const { data } = useList(list);
  const summary = useSummary(list);
  const named = data ?? summary;
  const title = named === undefined ? list : shownTitle(named);
  const mayKeep = summary?.mayKeep ?? false;
  const nav = useRef<HTMLElement>(null);
  // On a phone, the tabs scroll sideways.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `mayKeep` adds a tab before the current one
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current, mayKeep]);
  return (
    <>
      <PageHeader title={title} windowTitle={windowTitle(title)} text={text} back={backToLists}>
        {children}
      </PageHeader>
      <nav className="tabs" ref={nav} aria-label={sharedListTexts.listSections}>
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
 * A note on every page of a list that is archived or can no longer be read. With `hasForm`, it also says that input can
 * no longer be saved. Pages without a form have their own text for read-only lists.
 */
export function ListState({ list, hasForm = false }: { list: string; hasForm?: boolean }) {
  const { data, error } = useList(list);
  const { mayKeep, couldKeep } = useMayKeep(list);
  const isLost = data !== undefined && isRefusal(error);
  // Screen readers announce a status only if its element existed before its text.
  return (
    <div role="status">
      {isLost && (
        <Note tone="warning" Icon={Lock}>
          {sharedListTexts.accessLost}
        </Note>
      )}
      {!isLost && hasForm && couldKeep && !mayKeep && (
        <Note tone="warning" Icon={Lock}>
          {sharedListTexts.rightsLost}
        </Note>
      )}
      {!isLost && data?.archived === true && (
        <Note tone="warning" Icon={Archive}>
          {mayKeep ? sharedListTexts.listArchived : sharedListTexts.listArchivedReadOnly}
        </Note>
      )}
    </div>
  );
}

const isRefusal = (error: unknown) => error instanceof FrontdeskError && (error.status === 403 || error.status === 404);

/**
 * Whether the user may change the list. `couldKeep` stays true while the page is open: if the user loses that right, the
 * form and its input stay on the page.
 */
export function useMayKeep(list: string): { mayKeep: boolean; couldKeep: boolean } {
  const mayKeep = useSummary(list)?.mayKeep ?? false;
  const [couldKeep, setCouldKeep] = useState(mayKeep);
  if (mayKeep && !couldKeep) setCouldKeep(true);
  return { mayKeep, couldKeep };
}
