// What has recently changed in the lists, and what needs attention.
import { CircleCheck } from 'lucide-react';
import { authorName } from '../../lists/actor.ts';
import { languageName } from '../../lists/languages/language-names.ts';
import { useLists } from '../../lists/queries.ts';
import { ButtonLink } from '../../parts/button.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Moment } from '../../parts/format.tsx';
import { addressOf } from '../../routes.ts';
import { LoadingOrError } from '../../shell/loading.tsx';
import { type Attention, findAttention, newestFirst } from './attention.ts';
import { home } from './texts.ts';

const maxShown = 6;

export function ListsAtAGlance() {
  const query = useLists();
  if (query.data === undefined) return <LoadingOrError query={query} />;
  const lists = query.data.filter(({ archived }) => !archived);
  if (lists.length === 0) {
    return (
      <EmptyState title={home.noLists} text={home.noListsText}>
        <ButtonLink href={addressOf({ page: 'lists' })}>{home.openLists}</ButtonLink>
      </EmptyState>
    );
  }
  return (
    <div className="columns glance">
      <section className="card" aria-labelledby="recent">
        <header className="own-head">
          <h2 id="recent">{home.recent}</h2>
          <a href={addressOf({ page: 'lists' })}>{home.allLists}</a>
        </header>
        <ul className="glance-list">
          {newestFirst(lists)
            .slice(0, maxShown)
            .map(({ list, title, updatedAt, updatedBy, updatedByName }) => (
              <li key={list}>
                <a href={addressOf({ page: 'list', list })} dir="auto">
                  {title}
                </a>
                <span className="quiet">
                  <Moment at={updatedAt} isBrief />{' '}
                  {home.changedBy(authorName({ by: updatedBy, byName: updatedByName }))}
                </span>
              </li>
            ))}
        </ul>
      </section>
      <ToDo found={findAttention(lists)} />
    </div>
  );
}

function ToDo({ found }: { found: Attention[] }) {
  return (
    <section className="card" aria-labelledby="attention">
      <header className="own-head">
        <h2 id="attention">{home.attention}</h2>
      </header>
      {found.length === 0 && (
        <p className="quiet row">
          <CircleCheck aria-hidden="true" size={18} />
          {home.nothingToDo}
        </p>
      )}
      <ul className="glance-list">
        {found.slice(0, maxShown).map(({ list: { list, title }, scheduled, missing, languages }) => (
          <li key={list}>
            <a href={addressOf({ page: missing > 0 ? 'translations' : 'list', list })} dir="auto">
              {title}
            </a>
            <span className="quiet">
              {missing > 0 && home.missingLabels(missing, languages.map(languageName).join(', '))}
              {missing > 0 && scheduled > 0 && <br />}
              {scheduled > 0 && home.scheduled(scheduled)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
