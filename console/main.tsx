import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { I18nProvider, isRTL } from 'react-aria-components/I18nProvider';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { browserLocale, textLanguage } from './parts/catalogue.ts';
import { Boundary } from './shell/boundary.tsx';
import { isTemporary } from './shell/error-note.tsx';

const root = document.querySelector<HTMLElement>('#console');
const home = root?.dataset.home ?? '';
if (root !== null && new URL('.', location.href).href !== home) {
  // The page was opened at another address. Sign-ins can return only to `home`, so the page moves there.
  location.replace(home + location.hash);
} else if (root !== null) {
  const locale = browserLocale ?? 'en';
  document.documentElement.lang = textLanguage;
  document.documentElement.dir = isRTL(locale) ? 'rtl' : 'ltr';
  createRoot(root).render(
    <I18nProvider locale={locale}>
      <QueryClientProvider client={createQueryClient()}>
        <Boundary>
          <App />
        </Boundary>
      </QueryClientProvider>
    </I18nProvider>,
  );
}

function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // Data counts as fresh for a minute, because the stream of changes invalidates what has changed.
        staleTime: 60_000,
        gcTime: 300_000,
        retry: (failures, error) => failures < 2 && isTemporary(error),
        // Requests are always sent, because behind some proxies a browser wrongly reports that it is offline.
        networkMode: 'always',
        // Unchanged items keep their identity, so that their rows are not rendered again.
        structuralSharing: true,
      },
      mutations: { networkMode: 'always' },
    },
  });
}
