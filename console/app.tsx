// The root of the console: shows the page that the address names, or asks the user to sign in. Each page is loaded when
// it is first opened.
import { Suspense, useEffect, useRef, useState } from 'react';
import { FrontdeskProvider } from '../client/src/react.ts';
import { useKeepsLists } from './lists/queries.ts';
import { conflictQuestion } from './lists/saving/use-save-list.ts';
import { sharedListTexts } from './lists/texts.ts';
import { useChanges, useRights } from './lists/use-changes.ts';
import { Starting, Welcome } from './pages/welcome/welcome-page.tsx';
import { ButtonLink } from './parts/button.tsx';
import { EmptyState, PageHeader } from './parts/content.tsx';
import { Dialog } from './parts/dialog.tsx';
import { type Command, commandOf, typingPlaces } from './parts/texts.ts';
import { addressOf, type Place, pageKey, placeOf } from './routes.ts';
import { Boundary, part } from './shell/boundary.tsx';
import { ConsoleProvider, navigate, useConsole } from './shell/console-context.ts';
import { Loading } from './shell/loading.tsx';
import { SessionDialog, StrengthDialog } from './shell/session-dialogs.tsx';
import { Shell, type ShellProps } from './shell/shell.tsx';
import { shellTexts } from './shell/texts.ts';
import { Toasts } from './shell/toast-region.tsx';
import { askToDiscard, DiscardDialog, mayLeave, wouldLose } from './shell/unsaved.tsx';
import { useSignIn } from './shell/use-sign-in.ts';

export function App() {
  const signIn = useSignIn();
  const { base, desk, api, session, person, error, question } = signIn;
  const isOver = session.status === 'signed-out';
  const isConnected = useChanges(desk, person !== undefined && !isOver);
  useRights(person && JSON.stringify([person.permissions, person.me.roles]));
  const place = usePlace();
  const { command, setCommand, typedEarly } = useCommandKeys(person !== undefined && !isOver);
  const closeCommand = () => setCommand(undefined);

  if (person === undefined) {
    if (isOver) return <Welcome error={error} onSignIn={signIn.signIn} />;
    return <Starting error={error} onRetry={signIn.retry} />;
  }
  const { me, permissions } = person;
  /** A message while the session is being renewed or the change stream is reconnecting; otherwise empty. */
  const status =
    session.status === 'reconnecting' ? shellTexts.renewing : isConnected || isOver ? '' : shellTexts.reconnecting;
  const signOut = async () => {
    if (await mayLeave()) await desk.signOut();
  };
  return (
    <FrontdeskProvider value={desk}>
      <ConsoleProvider value={{ desk, api, me, permissions }}>
        <ConsoleShell
          place={place}
          status={status}
          error={error}
          onGoTo={() => setCommand('go-to')}
          onSignOut={() => void signOut()}
        >
          <CurrentPage place={place} />
        </ConsoleShell>
        {/* The page must stay usable if this part cannot be loaded. */}
        {command !== undefined && (
          <Boundary key={command} onClose={closeCommand}>
            <Suspense>
              {command === 'go-to' ? (
                <GoTo
                  place={place}
                  typedEarly={typedEarly}
                  onClose={closeCommand}
                  onShowKeys={() => setCommand('keyboard')}
                />
              ) : (
                <KeyboardMap seesLists={permissions.seeLists} onClose={closeCommand} />
              )}
            </Suspense>
          </Boundary>
        )}
        <ConflictDialog />
        <DiscardDialog />
        <Toasts />
      </ConsoleProvider>
      {question !== undefined && (
        <StrengthDialog
          desk={desk}
          me={me}
          base={base}
          challenge={question.challenge}
          signIns={session.signIns}
          onAnswer={question.answer}
        />
      )}
      {isOver && (
        <SessionDialog desk={desk} me={me} base={base} reason={session.reason} onSignOut={() => void signOut()} />
      )}
    </FrontdeskProvider>
  );
}

function ConsoleShell(props: Omit<ShellProps, 'linksApiDocs'>) {
  return <Shell {...props} linksApiDocs={useKeepsLists()} />;
}

const HomePage = part(async () => (await import('./pages/home/home-page.tsx')).HomePage);
const ListsPage = part(async () => (await import('./pages/lists/lists-page.tsx')).ListsPage);
const ListPage = part(async () => (await import('./pages/list/list-page.tsx')).ListPage);
const ValuePanel = part(async () => (await import('./pages/value/value-panel.tsx')).ValuePanel);
const TranslationsPage = part(
  async () => (await import('./pages/translations/translations-page.tsx')).TranslationsPage,
);
const HistoryPage = part(async () => (await import('./pages/history/history-page.tsx')).HistoryPage);
const VersionPage = part(async () => (await import('./pages/history/version-page.tsx')).VersionPage);
const SettingsPage = part(async () => (await import('./pages/settings/settings-page.tsx')).SettingsPage);
const ImportPage = part(async () => (await import('./pages/import/import-page.tsx')).ImportPage);
const PreviewForm = part(async () => (await import('./pages/preview/preview-page.tsx')).PreviewForm);
const AuditPage = part(async () => (await import('./pages/audit/audit-page.tsx')).AuditPage);
const ProfilePage = part(async () => (await import('./pages/profile/profile-page.tsx')).ProfilePage);

// Loaded when first opened.
const GoTo = part(async () => (await import('./pages/lists/go-to.tsx')).GoTo);
const KeyboardMap = part(async () => (await import('./shell/keyboard-map.tsx')).KeyboardMap);

/**
 * Listens for the keys that work on every page. Returns what is open, a function that opens or closes it, and
 * the text that was typed while the "Go to" dialog was being loaded.
 */
function useCommandKeys(isSignedIn: boolean) {
  const [command, setCommand] = useState<Command>();
  const typedEarly = useRef('');
  useEffect(() => {
    if (!isSignedIn) return setCommand(undefined);
    const onKeyDown = (event: KeyboardEvent) => {
      const isAsking = document.querySelector('.overlay:not(.beside)') !== null;
      const isLoading = command !== undefined && !isAsking;
      if (isLoading && event.key === 'Escape') {
        event.stopPropagation();
        return setCommand(undefined);
      }
      const hasSpace = typedEarly.current.length < longestSearch;
      if (isLoading && command === 'go-to' && isCharacter(event) && hasSpace) {
        event.preventDefault();
        event.stopPropagation();
        typedEarly.current += event.key;
        return;
      }
      const target = event.target instanceof Element ? event.target : document.body;
      const pressed = commandOf(event, target.closest(typingPlaces) !== null);
      if (pressed === undefined || event.isComposing) return;
      event.preventDefault();
      typedEarly.current = '';
      // While a dialog is open, a key opens nothing, because the dialog must be answered first. A value's side panel
      // does not count as a dialog. Pressing the same key again closes what it has opened.
      setCommand((open) => (isAsking ? (open === pressed ? undefined : open) : pressed));
    };
    // Listens in the capture phase, because fields and panels stop events for keys that they handle.
    document.addEventListener('keydown', onKeyDown, true);
    return () => document.removeEventListener('keydown', onKeyDown, true);
  }, [isSignedIn, command]);
  return { command, setCommand, typedEarly };
}

/** Maximum number of characters to search for. */
const longestSearch = 100;

const isCharacter = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) =>
  key.length === 1 && !ctrlKey && !metaKey && !altKey;

function CurrentPage({ place }: { place: Place | undefined }) {
  // A new key resets the error boundary.
  return (
    <Boundary key={pageKey(place)}>
      <Suspense fallback={<Loading />}>
        <PageAt place={place} />
      </Suspense>
    </Boundary>
  );
}

function PageAt({ place }: { place: Place | undefined }) {
  const { permissions } = useConsole();
  if (place === undefined) return <NothingHere title={shellTexts.pageNotFound} text={shellTexts.pageNotFoundText} />;
  if (place.page === 'home') return <HomePage />;
  if (place.page === 'preview') return <PreviewForm />;
  if (place.page === 'profile') return <ProfilePage />;
  if (place.page === 'audit') {
    if (!permissions.readAudit) return <NothingHere title={shellTexts.audit} text={shellTexts.noAuditPermission} />;
    return <AuditPage query={place.query} />;
  }
  // The user may have lost rights when the session was renewed. With unsaved input, the page stays and says that the
  // input cannot be saved.
  if (!permissions.seeLists && !wouldLose(undefined))
    return <NothingHere title={shellTexts.lists} text={shellTexts.noPermission} />;
  return <ListsPageAt place={place} />;
}

type ListPlace = Exclude<Place, { page: 'home' | 'preview' | 'profile' | 'audit' }>;

function ListsPageAt({ place }: { place: ListPlace }) {
  switch (place.page) {
    case 'lists':
      return <ListsPage />;
    case 'import':
      return <ImportPage />;
    case 'list':
    case 'value':
    case 'new-value':
      return (
        <>
          <ListPage key={place.list} list={place.list} />
          {place.page !== 'list' && (
            <Boundary onClose={() => navigate({ page: 'list', list: place.list })}>
              <Suspense>
                <ValuePanel
                  key={place.page === 'value' ? place.value : ''}
                  list={place.list}
                  {...(place.page === 'value' && { value: place.value })}
                />
              </Suspense>
            </Boundary>
          )}
        </>
      );
    case 'translations':
      return <TranslationsPage list={place.list} />;
    case 'history':
      return <HistoryPage list={place.list} query={place.query ?? ''} />;
    case 'version':
      return <VersionPage list={place.list} version={place.version} against={place.against} />;
    case 'list-import':
      return <ImportPage list={place.list} />;
    case 'settings':
      return <SettingsPage list={place.list} />;
  }
}

function NothingHere({ title, text }: { title: string; text: string }) {
  return (
    <>
      <PageHeader title={title} />
      <EmptyState title={text}>
        <ButtonLink href={addressOf({ page: 'home' })}>{shellTexts.goHome}</ButtonLink>
      </EmptyState>
    </>
  );
}

/**
 * The page that the address names; undefined if there is none. Asks before the user leaves unsaved input, even with the
 * Back button.
 */
function usePlace(): Place | undefined {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    let shown = location.hash;
    const show = (next: string) => {
      shown = next;
      setHash(next);
    };
    const follow = async () => {
      if (location.hash === shown) return;
      if (!wouldLose(placeOf(location.hash))) return show(location.hash);
      const isDiscarded = await askToDiscard();
      if (location.hash === shown) return;
      if (isDiscarded) show(location.hash);
      else history.pushState(null, '', shown === '' ? './' : shown);
    };
    const onHashChange = () => void follow();
    addEventListener('hashchange', onHashChange);
    return () => removeEventListener('hashchange', onHashChange);
  }, []);
  return placeOf(hash);
}

// Loaded when needed, because it includes the sentences of the history.
const ConflictChoices = part(async () => (await import('./lists/saving/conflict-choices.tsx')).ConflictChoices);

/** Asks what to save when someone else has changed the same value. */
function ConflictDialog() {
  const question = conflictQuestion.use();
  if (question === undefined) return null;
  const { conflict, answer } = question;
  return (
    <Dialog title={sharedListTexts.conflictTitle} isWide onClose={() => answer(undefined)}>
      <Boundary isInDialog>
        <Suspense fallback={<Loading lines={3} />}>
          <ConflictChoices conflict={conflict} answer={answer} />
        </Suspense>
      </Boundary>
    </Dialog>
  );
}
