import { PageHeader } from '../parts/page-header.tsx';

export function SettingsPage({ list }: { list: string }) {
  return <PageHeader title={list} />;
}
