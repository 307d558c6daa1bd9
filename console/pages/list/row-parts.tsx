// What a row says about its value.
import type { KeptItem } from '../../../src/lookup/lookup-admin.schema.ts';
import { statusOn } from '../../data/item-status.ts';
import { Badge } from '../../parts/badge.tsx';
import { formatDay } from '../../parts/format.ts';
import { Moment } from '../../parts/moment.tsx';
import { authorName } from '../../parts/person.tsx';
import { listTexts } from '../../texts/list.ts';

export interface LastChange {
  at: string;
  by: string;
  byName: string | null;
}

export function LastChangeText({ change }: { change: LastChange }) {
  return (
    <>
      <bdi>
        <Moment at={change.at} isBrief />
      </bdi>{' '}
      · <bdi>{authorName(change)}</bdi>
    </>
  );
}

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
