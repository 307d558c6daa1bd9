// The frame of every page: the navigation (at the side, or at the bottom on a phone) and the signed-in person.
import { House, List, LogOut, type LucideIcon, ScrollText, Search, SquarePen } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import type { CurrentUser } from '../../client/src/index.ts';
import { Button } from '../parts/button.tsx';
import { isApple, keyText, shared } from '../parts/texts.ts';
import { addressOf, type Place, sectionOf } from '../routes.ts';
import type { Permissions } from './api.ts';
import { useConsole } from './console-context.ts';
import { ErrorNote } from './error-note.tsx';
import { shellTexts } from './texts.ts';
import { useKeptFocus } from './use-kept-focus.ts';

export interface ShellProps {
  place: Place | undefined;
  /** A text about what does not work at the moment; empty if everything works. */
  status: string;
  error: unknown;
  linksApiDocs: boolean;
  onGoTo: () => void;
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
  { to: { page: 'home' }, text: shellTexts.home, Icon: House },
  { to: { page: 'lists' }, text: shellTexts.lists, Icon: List, needs: 'seeLists' },
  { to: { page: 'preview' }, text: shellTexts.preview, Icon: SquarePen },
  { to: { page: 'audit', query: '' }, text: shellTexts.audit, Icon: ScrollText, needs: 'readAudit' },
];

export function Shell({ place, status, error, linksApiDocs, onGoTo, onSignOut, children }: ShellProps) {
  const { me, permissions } = useConsole();
  useKeptFocus();
  const section = place === undefined ? undefined : sectionOf(place);
  const links = allLinks.filter(({ needs }) => needs === undefined || permissions[needs]);
  return (
    <div className="shell">
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to a part of this page, but addresses name whole pages */}
      <a className="skip" href="#main" onClick={skipToMain}>
        {shellTexts.skip}
      </a>
      <header className="bar">
        <a className="brand" href="#/">
          <img src="docs/icon.svg" alt="" width="24" height="24" />
          {shared.product}
        </a>
        <AriaButton className="bar-link go-to-button" onPress={onGoTo}>
          <Search aria-hidden="true" size={18} />
          <span>{shellTexts.goTo}</span>
          <kbd>{`${keyText('Mod')}${isApple ? '' : ' '}K`}</kbd>
        </AriaButton>
        <nav aria-label={shellTexts.mainNavigation}>
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
          {linksApiDocs && (
            <a className="bar-link api-docs" href="docs">
              {shellTexts.apiDocs}
            </a>
          )}
          <a
            className="bar-link me"
            href={addressOf({ page: 'profile' })}
            title={shellTexts.profile}
            {...(section === 'profile' && { 'aria-current': 'page' as const })}
          >
            <Picture me={me} size={28} />
            <bdi>{me.name}</bdi>
          </a>
          <Button look="icon" aria-label={shellTexts.signOut} onPress={onSignOut}>
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

/** Moves the focus by script: a link to #main would change the hash, which names the page. */
function skipToMain(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('#main')?.focus();
}

/** The provider's picture, or the initials if it cannot be loaded. */
export function Picture({ me, size }: { me: CurrentUser; size: number }) {
  const [hasFailed, setFailed] = useState(false);
  const initials =
    [me.givenName, me.familyName].map((name) => Array.from(name)[0] ?? '').join('') || Array.from(me.name)[0];
  if (hasFailed) {
    return (
      <span className="initials" aria-hidden="true" style={{ width: size, height: size, fontSize: size * 0.4 }}>
        {initials}
      </span>
    );
  }
  return (
    <img
      className="picture"
      src={me.picture}
      alt=""
      width={size}
      height={size}
      referrerPolicy="no-referrer"
      onError={() => setFailed(true)}
    />
  );
}
