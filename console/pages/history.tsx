import { PageHeader } from '../parts/page-header.tsx';

export function HistoryPage({ list }: { list: string }) {
  return <PageHeader title={list} />;
}
