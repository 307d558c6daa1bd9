// The audit's rows by day. Each row can be expanded to show what the service stored.
import { memo, useMemo, useState } from 'react';
import { useHistoryEntry, useList, useLists } from '../../lists/queries.ts';
import { EntryChanges, useSentenceContext } from '../../lists/sentences/sentences.tsx';
import { shownTitle } from '../../lists/texts.ts';
import { formatExactMoment, formatLongDay, formatMoment, formatTime } from '../../parts/format.tsx';
import { shared } from '../../parts/texts.ts';
import { addressOf } from '../../routes.ts';
import type { AuditRow } from '../../shell/api.ts';
import { LoadingOrError } from '../../shell/loading.tsx';
import { describeAuditRow, listVersionOf, nameActor, nameAuditType, type TitleOf } from './audit-sentences.ts';
import { auditPage as texts } from './texts.ts';

export function AuditRows({ rows }: { rows: readonly AuditRow[] }) {
  const days = useMemo(() => groupByDay(rows), [rows]);
  const { data: lists } = useLists();
  const titleOf = useMemo((): TitleOf => {
    const titles = new Map(lists?.map((each) => [each.list, shownTitle(each)]));
    return (list) => titles.get(list);
  }, [lists]);
  return days.map(({ day, name, rows: ofDay }) => (
    <section key={day} className="audit-day" aria-label={name}>
      <h2>{name}</h2>
      <ul className="boxed audit-rows">
        {ofDay.map((row) => (
          <Row key={row.id} row={row} titleOf={titleOf} />
        ))}
      </ul>
    </section>
  ));
}

const Row = memo(function Row({ row, titleOf }: { row: AuditRow; titleOf: TitleOf }) {
  const [isOpen, setOpen] = useState(false);
  const change = listVersionOf(row);
  return (
    <li>
      <details className="audit-row" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <time dateTime={row.at} title={formatMoment(row.at)}>
            {formatTime(row.at)}
          </time>
          <span className="audit-sentence">
            <bdi>{describeAuditRow(row, titleOf)}</bdi>
          </span>
          <span className="quiet audit-address">
            <bdi>{row.address}</bdi>
          </span>
        </summary>
        {isOpen && (
          <>
            {change !== undefined && <ListChange {...change} />}
            <div className="audit-facts">
              <Facts
                facts={[
                  [texts.at, formatExactMoment(row.at)],
                  [texts.concerns, row.person === row.actor ? null : withId(row.person, row.personName)],
                  [texts.actor, withId(row.actor, row.actorName)],
                ]}
              />
              <details>
                <summary>{shared.details}</summary>
                <Facts
                  facts={[
                    [texts.type, `${nameAuditType(row.type)} (${row.type})`],
                    [texts.detail, row.detail],
                    [texts.address, row.address],
                    [texts.session, row.session],
                    [texts.requestId, row.requestId],
                    [texts.number, row.id],
                  ]}
                />
              </details>
            </div>
          </>
        )}
      </details>
    </li>
  );
});

/** Leaves out facts without a value. */
const Facts = ({ facts }: { facts: readonly (readonly [name: string, value: string | null])[] }) => (
  <dl className="own-facts">
    {facts
      .filter(([, value]) => value !== null)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
  </dl>
);

/** Describes a change to a list in the same sentences as the list's history. */
function ListChange({ list, version }: { list: string; version: number }) {
  const entry = useHistoryEntry(list, version);
  const context = useSentenceContext(useList(list).data);
  if (entry.data === undefined) return <LoadingOrError query={entry} lines={2} />;
  return (
    <div className="audit-change">
      {entry.data.reason !== null && (
        <p className="reason" dir="auto">
          {entry.data.reason}
        </p>
      )}
      <EntryChanges list={list} entry={entry.data} context={context} />
      <p>
        <a href={addressOf({ page: 'version', list, version })}>{texts.viewVersion}</a>
        {' · '}
        <a href={addressOf({ page: 'history', list })}>{texts.listHistory}</a>
      </p>
    </div>
  );
}

/** The name and the ID. The ID can be entered in the person filter. */
function withId(id: string | null, name: string | null): string | null {
  if (id === null) return null;
  return name === null ? nameActor(id) : `${name} (${id})`;
}

interface Day {
  day: string;
  name: string;
  rows: AuditRow[];
}

/** Groups rows by day in the reader's time zone. Rows must be sorted newest first. */
function groupByDay(rows: readonly AuditRow[]): Day[] {
  const days: Day[] = [];
  for (const row of rows) {
    const day = new Date(row.at).toDateString();
    const last = days.at(-1);
    if (last?.day === day) last.rows.push(row);
    // The replicas' clocks differ by seconds, so rows around midnight may alternate between two days. A day that occurs
    // again needs a different key.
    else
      days.push({
        day: days.some((each) => each.day === day) ? `${day} ${row.id}` : day,
        name: nameOf(row.at),
        rows: [row],
      });
  }
  return days;
}

function nameOf(at: string, now = new Date()): string {
  const day = new Date(at).toDateString();
  if (day === now.toDateString()) return texts.today;
  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  return day === yesterday.toDateString() ? texts.yesterday : formatLongDay(at);
}
