import { QueryClientProvider } from '@tanstack/react-query';
import { I18nProvider, isRTL } from 'react-aria-components/I18nProvider';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { createQueryClient } from './shell/query-client.ts';
import { Boundary } from './shell/boundary.tsx';
import { browserLocale, textLanguage } from './parts/catalogue.ts';

const root = document.querySelector<HTMLElement>('#console');
const home = root?.dataset.home ?? '';
if (root !== null && new URL('.', location.href).href !== home) {
  // The provider accepts one address of this page; this is another name of the same machine.
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
