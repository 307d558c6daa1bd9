// The first page: an overview of the lists for keepers, their own details for everybody else.
import { BookOpen, FileUp, type LucideIcon, ScrollText, SquarePen } from 'lucide-react';
import { useLists } from '../../lists/queries.ts';
import { sharedListTexts } from '../../lists/texts.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { addressOf } from '../../routes.ts';
import { useConsole } from '../../shell/console-context.ts';
import { OwnDetails } from '../../shell/own-details.tsx';
import { shellTexts } from '../../shell/texts.ts';
import { ListsAtAGlance } from './lists-at-a-glance.tsx';
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
      <p>
        <a href={addressOf({ page: 'profile' })}>{home.toProfile}</a>
      </p>
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
  const { data: lists = [] } = useLists({ isNeeded: permissions.seeLists });
  const links: QuickLink[] = [
    {
      href: addressOf({ page: 'import' }),
      Icon: FileUp,
      title: sharedListTexts.import,
      text: home.importText,
      isShown: permissions.createLists || lists.some(({ mayKeep }) => mayKeep),
    },
    { href: addressOf({ page: 'preview' }), Icon: SquarePen, title: home.previewTitle, text: home.previewText },
    {
      href: addressOf({ page: 'audit', query: '' }),
      Icon: ScrollText,
      title: shellTexts.audit,
      text: home.auditText,
      isShown: permissions.readAudit,
    },
    { href: 'docs', Icon: BookOpen, title: shellTexts.apiDocs, text: home.apiText },
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
