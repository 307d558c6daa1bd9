import { ArrowRight } from 'lucide-react';
import { useMemo, useState } from 'react';
import { dayOf } from '../../../src/lookup/rules/list-on-day.ts';
import { itemColumnTexts } from '../../lists/columns/texts.ts';
import { fieldName, fieldText } from '../../lists/items/field-texts.ts';
import type { FieldName, FieldValue } from '../../lists/items/item-fields.ts';
import { StatusBadge } from '../../lists/items/status-badge.tsx';
import { itemTexts } from '../../lists/items/texts.ts';
import { languageName } from '../../lists/languages/language-names.ts';
import { Button } from '../../parts/button.tsx';
import { Chips } from '../../parts/chips.tsx';
import { Badge, type BadgeTone, EmptyState } from '../../parts/content.tsx';
import type { ListSettings } from '../../shell/api.ts';
import { markNames, versionTexts as texts } from './texts.ts';
import type { Mark, VersionRow } from './version-differences.ts';

const rowsAtOnce = 200;
const tones: Record<Mark, BadgeTone> = {
  same: 'neutral',
  changed: 'warning',
  added: 'good',
  retired: 'bad',
  restored: 'good',
};

interface VersionValuesProps {
  rows: readonly VersionRow[];
  /** Whether the current version is shown and compared with itself. */
  isCurrent: boolean;
  labelOf: (value: string) => string;
  /** The version that is shown. */
  version: number;
  /** The version to compare with, if it is not the current one. */
  against: number | undefined;
}

/** Rows are rendered in batches: a list may have 50,000 values. */
export function VersionValues({ rows, isCurrent, labelOf, version, against }: VersionValuesProps) {
  const different = useMemo(() => rows.filter(({ mark }) => mark !== 'same'), [rows]);
  const [filter, setFilter] = useState<'all' | 'different'>('all');
  const [most, setMost] = useState(rowsAtOnce);
  const chosen = filter === 'all' ? rows : different;
  const shown = chosen.slice(0, most);
  return (
    <>
      {!isCurrent && (
        <div className="row">
          <Chips
            label={texts.filter}
            chips={[
              { id: 'all', name: texts.all, count: rows.length },
              {
                id: 'different',
                name: against === undefined ? texts.different : texts.differentFrom(against),
                count: different.length,
              },
            ]}
            value={filter}
            onChange={setFilter}
          />
        </div>
      )}
      {chosen.length === 0 ? (
        <EmptyState
          title={
            filter === 'all'
              ? texts.noValues
              : against === undefined
                ? texts.noDifferences
                : texts.noDifferencesFrom(against)
          }
        />
      ) : (
        <div className="table-scroll version-values">
          <table className="table version-table" aria-label={texts.table}>
            <thead>
              <tr>
                <th scope="col">{itemColumnTexts.label}</th>
                <th scope="col" className="wide-only">
                  {itemColumnTexts.value}
                </th>
                <th scope="col" className="wide-only">
                  {itemTexts.status}
                </th>
                {!isCurrent && (
                  <th scope="col">
                    {against === undefined
                      ? texts.since
                      : texts.fromTo(Math.min(version, against), Math.max(version, against))}
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {shown.map((row) => (
                <Row
                  key={row.item.value}
                  row={row}
                  isCurrent={isCurrent}
                  labelOf={labelOf}
                  version={version}
                  against={against}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {shown.length < chosen.length && (
        <Button onPress={() => setMost(most + rowsAtOnce)}>
          {texts.showMore(Math.min(rowsAtOnce, chosen.length - shown.length))}
        </Button>
      )}
    </>
  );
}

type RowProps = Omit<VersionValuesProps, 'rows'> & { row: VersionRow };

function Row({ row: { item, isThere, mark, fields }, isCurrent, labelOf, version, against }: RowProps) {
  const status = isThere ? (
    <StatusBadge item={item} day={dayOf(new Date())} />
  ) : (
    <span className="quiet">{against === undefined ? texts.notThere : texts.notIn(version)}</span>
  );
  return (
    <tr {...(!isThere && { className: 'not-there' })}>
      <th scope="row">
        <bdi>{item.label}</bdi>
        <span className="narrow-only">{status}</span>
      </th>
      <td className="wide-only">
        <code>{item.value}</code>
      </td>
      <td className="wide-only">{status}</td>
      {!isCurrent && (
        <td>
          {mark !== 'same' && <Badge tone={tones[mark]}>{markNames[mark]}</Badge>}
          {mark === 'added' && isThere && against !== undefined && (
            <>
              {' '}
              <span className="quiet">{texts.notIn(against)}</span>
            </>
          )}
          {fields.length > 0 && (
            <dl className="differences">
              {fields.map(({ field, was, now }) => (
                <Difference
                  key={field}
                  name={fieldName(field)}
                  before={textOfField(field, was, labelOf)}
                  after={textOfField(field, now, labelOf)}
                />
              ))}
            </dl>
          )}
        </td>
      )}
    </tr>
  );
}

interface DifferenceProps {
  name: string;
  /** Null for empty content. */
  before: string | null;
  after: string | null;
}

/** Shows a difference like `Label: Clerk → Senior clerk`. */
export function Difference({ name, before, after }: DifferenceProps) {
  return (
    <div className="difference">
      <dt>
        <bdi>{name}</bdi>
      </dt>
      <dd>
        {before === null ? (
          <span className="quiet">{texts.none}</span>
        ) : (
          <del>
            <bdi>{before}</bdi>
          </del>
        )}{' '}
        <ArrowRight aria-hidden="true" size={14} className="flips" />
        <span className="unseen">{texts.changedTo}</span>{' '}
        {after === null ? (
          <span className="quiet">{texts.none}</span>
        ) : (
          <ins>
            <bdi>{after}</bdi>
          </ins>
        )}
      </dd>
    </div>
  );
}

/** The displayed content of a field; null if empty. `labelOf` returns the label of a value of the list. */
function textOfField(field: FieldName, value: FieldValue, labelOf: (value: string) => string): string | null {
  if (value === null || value.length === 0) return null;
  return field === 'replacedBy' && typeof value === 'string' ? labelOf(value) : fieldText(field, value);
}

export function textOfSetting(name: keyof ListSettings, value: ListSettings[keyof ListSettings]): string | null {
  if (value === null) return name === 'readers' ? texts.defaultReaders : null;
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.join(', ');
  return (
    Object.entries(value)
      .map(([tag, text]) => `${languageName(tag)}: ${text}`)
      .join(' · ') || null
  );
}
