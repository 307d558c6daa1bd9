import { PageHeader } from '../parts/page-header.tsx';

export function TranslationsPage({ list }: { list: string }) {
  return <PageHeader title={list} />;
}
