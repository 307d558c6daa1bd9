import { PageHeader } from '../parts/page-header.tsx';
import { shared } from '../texts/shared.ts';

export function ListsPage() {
  return <PageHeader title={shared.lists} />;
}
