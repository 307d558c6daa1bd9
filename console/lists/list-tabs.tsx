import { addressOf, type Place } from '../routes.ts';
import { ListState } from './list-state.tsx';
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
