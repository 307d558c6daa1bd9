import { ErrorNote } from './error-note.tsx';
import { shellTexts } from './texts.ts';

/** Placeholder lines. */
export function Loading({ lines = 6 }: { lines?: number }) {
  return (
    <div className="loading" role="status">
      <span className="unseen">{shellTexts.loading}</span>
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all are the same
        <span key={index} className="skeleton" aria-hidden="true" />
      ))}
    </div>
  );
}

interface Loadable {
  isPending: boolean;
  error: unknown;
  refetch: () => unknown;
}

/** Shows that a query without data is loading, or why it failed. */
export function LoadingOrError({ query, lines }: { query: Loadable; lines?: number }) {
  if (query.error !== null) return <ErrorNote error={query.error} onRetry={() => void query.refetch()} />;
  return query.isPending ? <Loading {...(lines !== undefined && { lines })} /> : null;
}
