// Around every page: the navigation, at the side or on a phone at the lower edge, and who is signed in.
import { House, List, LogOut, type LucideIcon, ScrollText, SquarePen } from 'lucide-react';
import type { ReactNode } from 'react';
import { useConsole } from './console-context.ts';
import type { Permissions } from './api.ts';
import { addressOf, type Place, sectionOf } from '../routes.ts';
import { shared } from '../parts/texts.ts';
import { Button } from '../parts/button.tsx';
import { ErrorNote } from './error-note.tsx';
import { Picture } from './picture.tsx';

interface ShellProps {
  place: Place | undefined;
  /** What does not work at the moment. */
  status: string;
  error: unknown;
  onSignOut: () => void;
  children: ReactNode;
}

interface NavigationLink {
  to: Place;
  text: string;
  Icon: LucideIcon;
  needs?: keyof Permissions;
}

const allLinks: NavigationLink[] = [
  { to: { page: 'home' }, text: shared.home, Icon: House },
  { to: { page: 'lists' }, text: shared.lists, Icon: List, needs: 'seeLists' },
  { to: { page: 'preview' }, text: shared.preview, Icon: SquarePen },
  { to: { page: 'audit', query: '' }, text: shared.audit, Icon: ScrollText, needs: 'readAudit' },
];

export function Shell({ place, status, error, onSignOut, children }: ShellProps) {
  const { me, permissions } = useConsole();
  const section = place === undefined ? undefined : sectionOf(place);
  const links = allLinks.filter(({ needs }) => needs === undefined || permissions[needs]);
  return (
    <div className="shell">
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to a part of this page, which the address cannot name */}
      <a className="skip" href="#main" onClick={skipToMain}>
        {shared.skip}
      </a>
      <header className="bar">
        <a className="brand" href="#/">
          <img src="docs/icon.svg" alt="" width="24" height="24" />
          {shared.product}
        </a>
        <nav aria-label={shared.mainNavigation}>
          {links.map(({ to, text, Icon }) => (
            <a
              key={text}
              className="bar-link"
              href={addressOf(to)}
              {...(section === to.page && { 'aria-current': 'page' as const })}
            >
              <Icon aria-hidden="true" size={18} />
              <span>{text}</span>
            </a>
          ))}
        </nav>
        <div className="who">
          <a className="bar-link api-docs" href="docs">
            {shared.apiDocs}
          </a>
          <a
            className="bar-link me"
            href={addressOf({ page: 'profile' })}
            title={shared.profile}
            {...(section === 'profile' && { 'aria-current': 'page' as const })}
          >
            <Picture me={me} size={28} />
            <bdi>{me.name}</bdi>
          </a>
          <Button look="icon" aria-label={shared.signOut} onPress={onSignOut}>
            <LogOut aria-hidden="true" size={18} className="flips" />
          </Button>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        <p className="connection" role="status">
          {status}
        </p>
        <ErrorNote error={error} />
        {children}
      </main>
    </div>
  );
}

/** Not by the address: the page is named there. */
function skipToMain(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('#main')?.focus();
}
