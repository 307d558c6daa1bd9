import { addressOf, type Place } from '../routes.ts';
import { shared } from '../parts/texts.ts';
import { ListState } from './list-state.tsx';

type ListTab = 'list' | 'translations' | 'history' | 'list-import' | 'settings';

const tabs: [ListTab, string][] = [
  ['list', shared.values],
  ['translations', shared.translations],
  ['history', shared.history],
  ['list-import', shared.import],
  ['settings', shared.settings],
];

/** The pages of one list, and what has to be known on each of them. Importing is for those who may change it. */
export function ListTabs({ list, current, mayKeep }: { list: string; current: ListTab; mayKeep: boolean }) {
  return (
    <>
      <nav className="tabs" aria-label={shared.listSections}>
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
