import { formatBriefly, formatExactMoment, formatMoment } from './format.ts';

/** When something happened; the exact time on hover. `isBrief`: the time alone where it was today, else the day. */
export function Moment({ at, isBrief = false }: { at: string; isBrief?: boolean }) {
  return (
    <time dateTime={at} title={formatExactMoment(at)}>
      {isBrief ? formatBriefly(at) : formatMoment(at)}
    </time>
  );
}
