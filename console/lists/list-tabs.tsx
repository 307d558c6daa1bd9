import { addressOf, type Place } from '../routes.ts';
import { ListState } from './list-state.tsx';
import { listWords } from './texts.ts';

type ListTab = 'list' | 'translations' | 'history' | 'list-import' | 'settings';

const tabs: [ListTab, string][] = [
  ['list', listWords.values],
  ['translations', listWords.translations],
  ['history', listWords.history],
  ['list-import', listWords.import],
  ['settings', listWords.settings],
];

/** Tabs for the pages of one list, and its state. Import is shown to those who may change the list. */
export function ListTabs({ list, current, mayKeep }: { list: string; current: ListTab; mayKeep: boolean }) {
  return (
    <>
      <nav className="tabs" aria-label={listWords.listSections}>
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
