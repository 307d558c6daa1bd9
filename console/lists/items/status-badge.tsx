import { type DayStatus, statusOn } from '../../../src/lookup/rules/list-on-day.ts';
import { Badge, type BadgeTone } from '../../parts/content.tsx';
import { formatDay } from '../../parts/format.tsx';
import { addressOf } from '../../routes.ts';
import type { KeptItem } from '../../shell/api.ts';
import { itemTexts } from './texts.ts';

type Words = Record<DayStatus['kind'], (day: string) => string>;

const tones: Record<DayStatus['kind'], BadgeTone> = {
  active: 'good',
  scheduled: 'info',
  ending: 'warning',
  expired: 'neutral',
  retired: 'neutral',
};
const shortWords: Words = {
  active: () => itemTexts.active,
  scheduled: itemTexts.activeFrom,
  ending: itemTexts.activeUntil,
  expired: itemTexts.expired,
  retired: () => itemTexts.retired,
};

interface StatusBadgeProps {
  item: KeptItem;
  day: string;
  /** Texts to use instead of the short ones, for a status that has a day. */
  words?: Partial<Words>;
}

/** The status of a value on a day. */
export function StatusBadge({ item, day, words = {} }: StatusBadgeProps) {
  const status = statusOn(item, day);
  const since = 'day' in status ? status.day : null;
  const { [status.kind]: say } = since === null ? shortWords : { ...shortWords, ...words };
  return (
    <Badge tone={tones[status.kind]}>
      <bdi>{say(since === null ? '' : formatDay(since))}</bdi>
    </Badge>
  );
}

interface LabelTakenProps {
  list: string;
  /** The item that has the label. */
  item: KeptItem;
  confirmText: string;
  onConfirm: () => void;
}

/**
 * Says that the list already contains a value with this label, possibly retired, and links to that value. Only the
 * button in this message saves the label anyway: pressing Enter or Save a second time does not.
 */
export function LabelTaken({ list, item: { value, label, status }, confirmText, onConfirm }: LabelTakenProps) {
  return (
    <>
      {status === 'retired' ? itemTexts.labelRetired(label) : itemTexts.labelTaken(label)}{' '}
      <a href={addressOf({ page: 'value', list, value })}>{itemTexts.openValue(value)}</a>{' '}
      <button type="button" className="button" onClick={onConfirm}>
        {confirmText}
      </button>
    </>
  );
}
