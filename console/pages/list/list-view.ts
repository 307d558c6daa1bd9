// Filters and sorts the values of a list. Pure, fast for 50,000 values.
import { type DayStatus, statusOn } from '../../../src/lookup/rules/list-on-day.ts';
import { matcherOf } from '../../lists/items/item-search.ts';
import { compareOwnOrder } from '../../lists/items/value-order.ts';
import { languagesToTranslate, type Translations } from '../../lists/languages/to-translate.ts';
import type { KeptItem, LastChanges } from '../../shell/api.ts';

export const chips = ['all', 'active', 'scheduled', 'retired', 'untranslated'] as const;
export type Chip = (typeof chips)[number];

export const sortColumns = ['order', 'label', 'value', 'status', 'lastChange'] as const;
export type SortColumn = (typeof sortColumns)[number];

export interface Sorting {
  column: SortColumn;
  isDescending: boolean;
}
export const ownOrder: Sorting = { column: 'order', isDescending: false };

/** The languages that these values are to be translated into. */
export function languagesOf(items: readonly KeptItem[], lists: readonly Translations[]): string[] {
  const translations: Record<string, number> = {};
  for (const { status, labels } of items) {
    if (status === 'active') for (const language in labels) translations[language] = 1;
  }
  return languagesToTranslate(translations, lists);
}

/** Number of these languages in which the value has a label. */
export function translatedCount({ labels }: Pick<KeptItem, 'labels'>, languages: readonly string[]): number {
  let count = 0;
  for (const language of languages) if (labels[language] !== undefined) count++;
  return count;
}

/** Whether the filter of this chip shows a value. */
function isUnderChip(item: KeptItem, chip: Chip, day: string, languages: readonly string[]): boolean {
  if (chip === 'all') return true;
  if (chip === 'untranslated') return item.status === 'active' && translatedCount(item, languages) < languages.length;
  const { kind } = statusOn(item, day);
  return kind === chip || (chip === 'active' && kind === 'ending');
}

export function countByChip(
  items: readonly KeptItem[],
  day: string,
  languages: readonly string[],
): Record<Chip, number> {
  const counts = { all: 0, active: 0, scheduled: 0, retired: 0, untranslated: 0 };
  for (const item of items) for (const chip of chips) if (isUnderChip(item, chip, day, languages)) counts[chip]++;
  return counts;
}

const statusRank: Record<DayStatus['kind'], number> = { active: 0, ending: 1, scheduled: 2, expired: 3, retired: 4 };

type Compare = (a: KeptItem, b: KeptItem) => number;

const dayText = (status: DayStatus) => ('day' in status ? (status.day ?? '') : '');

function compareStatus(day: string): Compare {
  return (a, b) => {
    const [first, second] = [statusOn(a, day), statusOn(b, day)];
    return statusRank[first.kind] - statusRank[second.kind] || compareText(dayText(first), dayText(second));
  };
}

const compareText = (a: string, b: string) => (a < b ? -1 : Number(a > b));

interface ViewOptions {
  chip: Chip;
  search: string;
  sorting: Sorting;
  day: string;
  languages: readonly string[];
  /** The last version that changed each value. */
  lastVersions: LastChanges['values'];
  /** A value that is always shown, because its label is being edited. */
  kept?: string | undefined;
  /** The locale for sorting labels. */
  locale?: string | undefined;
}

export function viewOf(items: readonly KeptItem[], options: ViewOptions): KeptItem[] {
  const { chip, search, day, languages, kept } = options;
  const matches = matcherOf(search);
  const isShown = (item: KeptItem) => isUnderChip(item, chip, day, languages) && matches(item);
  const shown = items.filter((item) => item.value === kept || isShown(item));
  return sortItems(shown, options);
}

function sortItems(items: KeptItem[], { sorting, day, lastVersions, locale }: ViewOptions): KeptItem[] {
  const { compare } = new Intl.Collator(locale);
  const compares: Record<SortColumn, Compare> = {
    order: compareOwnOrder,
    label: (a, b) => compare(a.label, b.label),
    value: (a, b) => compareText(a.value, b.value),
    status: compareStatus(day),
    // Newest first, since people look for recent changes.
    lastChange: (a, b) => (lastVersions[b.value] ?? 0) - (lastVersions[a.value] ?? 0),
  };
  const inColumn = compares[sorting.column];
  const sign = sorting.isDescending ? -1 : 1;
  return items.sort((a, b) => sign * inColumn(a, b) || compareOwnOrder(a, b));
}
