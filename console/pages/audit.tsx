import { PageHeader } from '../parts/page-header.tsx';
import { shared } from '../texts/shared.ts';

export function AuditPage({ query }: { query: string }) {
  return <PageHeader title={query === '' ? shared.audit : query} />;
}
