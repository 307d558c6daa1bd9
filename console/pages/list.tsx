import { PageHeader } from '../parts/page-header.tsx';

export function ListPage({ list }: { list: string }) {
  return <PageHeader title={list} />;
}
