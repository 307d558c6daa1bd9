import { PageHeader } from '../parts/page-header.tsx';
import { shared } from '../texts/shared.ts';

export function PreviewForm() {
  return <PageHeader title={shared.preview} />;
}
