import { statusOn } from '../../../src/lookup/rules/list-on-day.ts';
import { Badge } from '../../parts/badge.tsx';
import { formatDay } from '../../parts/format.tsx';
import type { KeptItem } from '../../shell/api.ts';
import { itemTexts } from './texts.ts';

/** The status of a value on a day. */
export function StatusBadge({ item, day }: { item: KeptItem; day: string }) {
  const status = statusOn(item, day);
  switch (status.kind) {
    case 'active':
      return (
        <Badge tone="good">
          <bdi>{itemTexts.active}</bdi>
        </Badge>
      );
    case 'scheduled':
      return (
        <Badge tone="info">
          <bdi>{itemTexts.activeFrom(formatDay(status.day))}</bdi>
        </Badge>
      );
    case 'ending':
      return (
        <Badge tone="warning">
          <bdi>{itemTexts.activeUntil(formatDay(status.day))}</bdi>
        </Badge>
      );
    case 'expired':
      return (
        <Badge>
          <bdi>{itemTexts.expired(formatDay(status.day))}</bdi>
        </Badge>
      );
    case 'retired':
      return (
        <Badge>
          <bdi>{itemTexts.retired}</bdi>
        </Badge>
      );
  }
}
