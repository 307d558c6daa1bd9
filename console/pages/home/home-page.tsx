// The first page: an overview of the lists for people who manage lists, and the user's own details for others.
import { BookOpen, CircleCheck, FileUp, type LucideIcon, MonitorSmartphone, ScrollText, SquarePen } from 'lucide-react';
import { authorName } from '../../lists/actor.ts';
import { languageName } from '../../lists/languages/language-names.ts';
import { useKeepsLists, useLists } from '../../lists/queries.ts';
import { sharedListTexts, shownTitle } from '../../lists/texts.ts';
import { ButtonLink } from '../../parts/button.tsx';
import { EmptyState, PageHeader } from '../../parts/content.tsx';
import { Moment } from '../../parts/format.tsx';
import { addressOf } from '../../routes.ts';
import { useConsole } from '../../shell/console-context.ts';
import { LoadingOrError } from '../../shell/loading.tsx';
import { OwnDetails } from '../../shell/own-details.tsx';
import { shellTexts } from '../../shell/texts.ts';
import { type Attention, findAttention, newestFirst } from './attention.ts';
import { home } from './texts.ts';

export function HomePage() {
  const { me, permissions } = useConsole();
  return (
    <>
      <PageHeader title={home.greeting(me.givenName)} windowTitle={shellTexts.home} />
      {permissions.seeLists ? <ListsAtAGlance /> : <Details />}
      <QuickLinks />
    </>
  );
}

function Details() {
  return (
    <section className="card home-details" aria-labelledby="own-details">
      <h2 id="own-details">{home.details}</h2>
      <OwnDetails />
    </section>
  );
}

interface QuickLink {
  href: string;
  Icon: LucideIcon;
  title: string;
  text: string;
  isShown?: boolean;
}

function QuickLinks() {
  const { permissions } = useConsole();
  const keepsLists = useKeepsLists();
  const links: QuickLink[] = [
    {
      href: addressOf({ page: 'import' }),
      Icon: FileUp,
      title: sharedListTexts.import,
      text: home.importText,
      isShown: keepsLists,
    },
    { href: addressOf({ page: 'preview' }), Icon: SquarePen, title: shellTexts.preview, text: home.previewText },
    {
      href: addressOf({ page: 'audit', query: '' }),
      Icon: ScrollText,
      title: shellTexts.audit,
      text: home.auditText,
      isShown: permissions.readAudit,
    },
    {
      href: addressOf({ page: 'profile' }),
      Icon: MonitorSmartphone,
      title: home.sessions,
      text: home.sessionsText,
      isShown: !permissions.seeLists,
    },
    { href: 'docs', Icon: BookOpen, title: shellTexts.apiDocs, text: home.apiText, isShown: keepsLists },
  ];
  return (
    <section aria-labelledby="quick-links">
      <h2 id="quick-links">{home.quickLinks}</h2>
      <ul className="quick-links">
        {links
          .filter(({ isShown = true }) => isShown)
          .map(({ href, Icon, title, text }) => (
            <li key={href} className="quick-link">
              <Icon aria-hidden="true" size={20} />
              <div>
                <a href={href}>{title}</a>
                <p className="quiet">{text}</p>
              </div>
            </li>
          ))}
      </ul>
    </section>
  );
}

const maxShown = 6;

/** The lists that have recently changed, and the lists that need attention. */
function ListsAtAGlance() {
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
          <a href={addressOf({ page: 'lists' })}>{sharedListTexts.allLists}</a>
        </header>
        <ul className="glance-list">
          {newestFirst(lists)
            .slice(0, maxShown)
            .map(({ list, updatedAt, updatedBy, updatedByName, ...summary }) => (
              <li key={list}>
                <a href={addressOf({ page: 'list', list })} dir="auto">
                  {shownTitle(summary)}
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
        {found.slice(0, maxShown).map(({ list: { list, ...summary }, scheduled, missing, languages }) => (
          <li key={list}>
            <a href={addressOf({ page: missing > 0 ? 'translations' : 'list', list })} dir="auto">
              {shownTitle(summary)}
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
