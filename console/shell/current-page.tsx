// The page that an address names. Each is a part of its own, loaded when it is opened first.
import { lazy, Suspense } from 'react';
import { useConsole } from './console-context.ts';
import { wouldLose } from './unsaved.ts';
import { addressOf, type Place } from '../routes.ts';
import { shared } from '../parts/texts.ts';
import { Boundary } from './boundary.tsx';
import { ButtonLink } from '../parts/button.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Loading } from './loading.tsx';
import { PageHeader } from '../parts/page-header.tsx';

const HomePage = lazy(async () => ({ default: (await import('../pages/home/home-page.tsx')).HomePage }));
const ListsPage = lazy(async () => ({ default: (await import('../pages/lists/lists-page.tsx')).ListsPage }));
const ListPage = lazy(async () => ({ default: (await import('../pages/list/list-page.tsx')).ListPage }));
const ValuePanel = lazy(async () => ({ default: (await import('../pages/value/value-panel.tsx')).ValuePanel }));
const TranslationsPage = lazy(async () => ({ default: (await import('../pages/translations/translations-page.tsx')).TranslationsPage }));
const HistoryPage = lazy(async () => ({ default: (await import('../pages/history/history-page.tsx')).HistoryPage }));
const VersionPage = lazy(async () => ({ default: (await import('../pages/history/version-page.tsx')).VersionPage }));
const SettingsPage = lazy(async () => ({ default: (await import('../pages/settings/settings-page.tsx')).SettingsPage }));
const ImportPage = lazy(async () => ({ default: (await import('../pages/import/import-page.tsx')).ImportPage }));
const PreviewForm = lazy(async () => ({ default: (await import('../pages/preview/preview-page.tsx')).PreviewForm }));
const AuditPage = lazy(async () => ({ default: (await import('../pages/audit/audit-page.tsx')).AuditPage }));
const ProfilePage = lazy(async () => ({ default: (await import('../pages/profile/profile-page.tsx')).ProfilePage }));

export function CurrentPage({ place }: { place: Place | undefined }) {
  // Another page tries again where this one failed; a panel over a list is no other page.
  const key = place === undefined ? '' : `${pageKind(place)} ${'list' in place ? place.list : ''}`;
  return (
    <Boundary key={key}>
      <Suspense fallback={<Loading />}>
        <PageAt place={place} />
      </Suspense>
    </Boundary>
  );
}

const pageKind = ({ page }: Place) => (page === 'value' || page === 'new-value' ? 'list' : page);

function PageAt({ place }: { place: Place | undefined }) {
  const { permissions } = useConsole();
  if (place === undefined) return <NothingHere title={shared.pageNotFound} text={shared.pageNotFoundText} />;
  if (place.page === 'home') return <HomePage />;
  if (place.page === 'preview') return <PreviewForm />;
  if (place.page === 'profile') return <ProfilePage />;
  if (place.page === 'audit') {
    if (!permissions.readAudit) return <NothingHere title={shared.audit} text={shared.noAuditPermission} />;
    return <AuditPage query={place.query} />;
  }
  // Rights may be lost at any renewal: what is typed stays, and the page of the list says that it cannot be saved.
  if (!permissions.seeLists && !wouldLose(undefined))
    return <NothingHere title={shared.lists} text={shared.noPermission} />;
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
            <Suspense>
              <ValuePanel
                key={place.page === 'value' ? place.value : ''}
                list={place.list}
                {...(place.page === 'value' && { value: place.value })}
              />
            </Suspense>
          )}
        </>
      );
    case 'translations':
      return <TranslationsPage list={place.list} />;
    case 'history':
      return <HistoryPage list={place.list} />;
    case 'version':
      return <VersionPage list={place.list} version={place.version} />;
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
        <ButtonLink href={addressOf({ page: 'home' })}>{shared.goHome}</ButtonLink>
      </EmptyState>
    </>
  );
}
