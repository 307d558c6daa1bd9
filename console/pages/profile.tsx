import { PageHeader } from '../parts/page-header.tsx';
import { shared } from '../texts/shared.ts';

export function ProfilePage() {
  return <PageHeader title={shared.profile} />;
}
