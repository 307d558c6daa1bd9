import { itemColumnTexts } from '../../lists/columns/texts.ts';
import { dayOf, type ItemStatus, statusOn } from '../../lists/items/item-status.ts';
import { itemTexts } from '../../lists/items/texts.ts';
import { Badge, type BadgeTone } from '../../parts/badge.tsx';
import { formatDay } from '../../parts/format.tsx';
import { addressOf } from '../../routes.ts';
import type { KeptItem, KeptList } from '../../shell/api.ts';
import { valueTexts as texts } from './texts.ts';

const tones: Record<ItemStatus['kind'], BadgeTone> = {
  active: 'good',
  scheduled: 'info',
  ending: 'warning',
  expired: 'neutral',
  retired: 'neutral',
};

function statusText(status: ItemStatus): string {
  if (status.kind === 'active') return itemTexts.active;
  if (status.kind === 'retired')
    return status.day === null ? itemTexts.retired : texts.retiredOn(formatDay(status.day));
  const words = { scheduled: itemTexts.activeFrom, ending: itemTexts.activeUntil, expired: texts.expiredOn };
  return words[status.kind](formatDay(status.day));
}

/** The value's status today, and its replacement. */
export function StatusLine({ list, item }: { list: KeptList; item: KeptItem }) {
  const status = statusOn(item, dayOf(new Date()));
  const { replacedBy } = item;
  return (
    <p className="row">
      <Badge tone={tones[status.kind]}>{statusText(status)}</Badge>
      {replacedBy !== null && (
        <span>
          {itemColumnTexts.replacedBy}{' '}
          <a href={addressOf({ page: 'value', list: list.list, value: replacedBy })}>
            <bdi>{list.items.find(({ value }) => value === replacedBy)?.label ?? replacedBy}</bdi>
          </a>
        </span>
      )}
    </p>
  );
}
