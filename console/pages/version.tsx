import { PageHeader } from '../parts/page-header.tsx';

export function VersionPage({ list, version }: { list: string; version: number }) {
  return <PageHeader title={`${list} ${version}`} />;
}
