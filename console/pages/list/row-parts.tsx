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
      <Moment at={change.at} isBrief /> · <bdi>{authorName(change)}</bdi>
    </>
  );
}

export function StatusBadge({ item, day }: { item: KeptItem; day: string }) {
  const status = statusOn(item, day);
  switch (status.kind) {
    case 'active':
      return <Badge tone="good">{listTexts.statusActive}</Badge>;
    case 'scheduled':
      return <Badge tone="info">{listTexts.from(formatDay(status.day))}</Badge>;
    case 'ending':
      return <Badge tone="warning">{listTexts.until(formatDay(status.day))}</Badge>;
    case 'expired':
      return <Badge>{listTexts.expired(formatDay(status.day))}</Badge>;
    case 'retired':
      return <Badge>{listTexts.retired}</Badge>;
  }
}
