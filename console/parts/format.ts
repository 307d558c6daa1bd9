// Dates as the reader's browser writes them. A day is the same in every time zone; a moment is shown in the reader's own.
import { browserLocale } from './catalogue.ts';

const days = new Intl.DateTimeFormat(browserLocale, { dateStyle: 'medium', timeZone: 'UTC' });
const moments = new Intl.DateTimeFormat(browserLocale, { dateStyle: 'medium', timeStyle: 'short' });
const exactMoments = new Intl.DateTimeFormat(browserLocale, { dateStyle: 'full', timeStyle: 'medium' });
const times = new Intl.DateTimeFormat(browserLocale, { timeStyle: 'short' });
const longDays = new Intl.DateTimeFormat(browserLocale, { dateStyle: 'full' });
const localDays = new Intl.DateTimeFormat(browserLocale, { dateStyle: 'medium' });

/** Of a day like 2027-01-31. */
export const formatDay = (day: string) => days.format(new Date(`${day}T00:00:00Z`));
export const formatMoment = (moment: string) => moments.format(new Date(moment));
export const formatExactMoment = (moment: string) => exactMoments.format(new Date(moment));

export const formatTime = (moment: string) => times.format(new Date(moment));
/** The reader's day of a moment, with its weekday. */
export const formatLongDay = (moment: string) => longDays.format(new Date(moment));

/** The time alone where it was today, else the day alone. */
export function formatBriefly(moment: string, now = new Date()): string {
  const at = new Date(moment);
  return at.toDateString() === now.toDateString() ? times.format(at) : localDays.format(at);
}

/** Today in the reader's time zone, like 2027-01-31. */
export function today(now = new Date()): string {
  const pad = (part: number) => String(part).padStart(2, '0');
  return `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`;
}
