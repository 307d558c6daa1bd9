// Formats dates for the reader's locale. A day is the same in every time zone. A moment is shown in the reader's time zone.
import { browserLocale } from './catalogue.ts';

const days = new Intl.DateTimeFormat(browserLocale, { dateStyle: 'medium', timeZone: 'UTC' });
const moments = new Intl.DateTimeFormat(browserLocale, { dateStyle: 'medium', timeStyle: 'short' });
const exactMoments = new Intl.DateTimeFormat(browserLocale, { dateStyle: 'full', timeStyle: 'medium' });
const times = new Intl.DateTimeFormat(browserLocale, { timeStyle: 'short' });
const longDays = new Intl.DateTimeFormat(browserLocale, { dateStyle: 'full' });
const localDays = new Intl.DateTimeFormat(browserLocale, { dateStyle: 'medium' });

/** Takes a day like 2027-01-31. */
export const formatDay = (day: string) => days.format(new Date(`${day}T00:00:00Z`));
export const formatMoment = (moment: string) => moments.format(new Date(moment));
export const formatExactMoment = (moment: string) => exactMoments.format(new Date(moment));

export const formatTime = (moment: string) => times.format(new Date(moment));
/** The day and weekday of a moment in the reader's time zone. */
export const formatLongDay = (moment: string) => longDays.format(new Date(moment));

/** Formats a moment of today as its time, and any other moment as its day. */
function formatBriefly(moment: string, now = new Date()): string {
  const at = new Date(moment);
  return at.toDateString() === now.toDateString() ? times.format(at) : localDays.format(at);
}

/**
 * Shows a moment, with the exact time on hover. With `isBrief`, shows only the time of a moment of today, and only the
 * day of any other moment.
 */
export function Moment({ at, isBrief = false }: { at: string; isBrief?: boolean }) {
  return (
    <time dateTime={at} title={formatExactMoment(at)}>
      {isBrief ? formatBriefly(at) : formatMoment(at)}
    </time>
  );
}
