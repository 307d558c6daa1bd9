import { PageHeader } from '../parts/page-header.tsx';
import { shared } from '../texts/shared.ts';

export function ImportPage({ list }: { list?: string }) {
  return <PageHeader title={list ?? shared.import} />;
}
