// A page that shows a live list, and records what the hook returned on each render.
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { StrictMode, useState, version } from 'react';
import { createRoot } from 'react-dom/client';
import { createFrontdesk } from '../../client/src/index.ts';
import { invalidateOnChanges, lookupQuery } from '../../client/src/query.ts';
import { FrontdeskProvider, useLookup, useSession } from '../../client/src/react.ts';

const drawn: string[] = [];
Object.assign(globalThis, { drawn });

const frontdesk = createFrontdesk({ baseUrl: new URLSearchParams(location.search).get('desk') ?? '' });

function Level({ language }: { language: string }) {
  const { data, error, isLoading, isFetching, isStale } = useLookup('employee-level', { live: true, language });
  const label = data?.find(({ value }) => value === 'LEAD')?.label;
  drawn.push([language, label, isLoading && 'loading', isStale && 'stale', error?.code].filter(Boolean).join(' '));
  return <output aria-busy={isFetching}>{label}</output>;
}

/** For each render, the value that the component depends on and the items that it shows. */
const drawnOffices: string[] = [];
Object.assign(globalThis, { drawnOffices });

function Offices({ country, q }: { country: string; q: string }) {
  const { data } = useLookup('office', { where: { country }, q, fields: ['parents'] });
  const offices = data?.map(({ value, parents }) => `${value} ${parents.country ?? 'anywhere'}`).join();
  drawnOffices.push(`${country} ${q}: ${offices}`);
  return <address>{offices}</address>;
}

/** Shows the same list with TanStack Query. */
function QueriedLevel() {
  const { data } = useQuery(lookupQuery(frontdesk, 'employee-level', { include: ['LEAD'] }));
  return <em>{data?.find(({ value }) => value === 'LEAD')?.label}</em>;
}

function Page() {
  const { person, status } = useSession();
  const [language, setLanguage] = useState('en');
  const [isShown, setShown] = useState(true);
  const [country, setCountry] = useState('DE');
  const [q, setQ] = useState('');
  return (
    <>
      <h1>
        {person?.sub} {status} {version}
      </h1>
      {isShown && (
        <>
          <Level language={language} />
          <Level language={language} />
          <QueriedLevel />
        </>
      )}
      <Offices country={country} q={q} />
      <button type="button" onClick={() => setCountry('FR')}>
        France
      </button>
      <button type="button" onClick={() => setQ('par')}>
        Search
      </button>
      <button type="button" onClick={() => setLanguage('de')}>
        German
      </button>
      <button type="button" onClick={() => setShown(!isShown)}>
        Toggle
      </button>
    </>
  );
}

await frontdesk.resume();
const queryClient = new QueryClient();
invalidateOnChanges(frontdesk, queryClient);
createRoot(document.body.appendChild(document.createElement('main'))).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <FrontdeskProvider value={frontdesk}>
        <Page />
      </FrontdeskProvider>
    </QueryClientProvider>
  </StrictMode>,
);
