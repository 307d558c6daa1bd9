import type { KeptItem } from '../../shell/api.ts';
import { statusOn } from './item-status.ts';
import { listTexts } from '../../pages/list/texts.ts';
import { Badge } from '../../parts/badge.tsx';
import { formatDay } from '../../parts/format.ts';

/** Where a value stands on a day. */
export function StatusBadge({ item, day }: { item: KeptItem; day: string }) {
  const status = statusOn(item, day);
  switch (status.kind) {
    case 'active':
      return (
        <Badge tone="good">
          <bdi>{listTexts.statusActive}</bdi>
        </Badge>
      );
    case 'scheduled':
      return (
        <Badge tone="info">
          <bdi>{listTexts.from(formatDay(status.day))}</bdi>
        </Badge>
      );
    case 'ending':
      return (
        <Badge tone="warning">
          <bdi>{listTexts.until(formatDay(status.day))}</bdi>
        </Badge>
      );
    case 'expired':
      return (
        <Badge>
          <bdi>{listTexts.expired(formatDay(status.day))}</bdi>
        </Badge>
      );
    case 'retired':
      return (
        <Badge>
          <bdi>{listTexts.retired}</bdi>
        </Badge>
      );
  }
}
