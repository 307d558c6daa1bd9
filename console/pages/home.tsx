import { PageHeader } from '../parts/page-header.tsx';
import { shared } from '../texts/shared.ts';

export function HomePage() {
  return <PageHeader title={shared.home} />;
}
