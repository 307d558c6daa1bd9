import { ArrowRight } from 'lucide-react';
import { useState } from 'react';
import { fieldTitle } from '../../lists/columns/headers.ts';
import { itemColumnTexts } from '../../lists/columns/texts.ts';
import type { FieldValue } from '../../lists/items/item-fields.ts';
import { languageName } from '../../lists/languages/language-names.ts';
import { settingTexts, sharedListTexts, shownTitle } from '../../lists/texts.ts';
import { Button } from '../../parts/button.tsx';
import { Badge, type BadgeTone } from '../../parts/content.tsx';
import { formatDay } from '../../parts/format.tsx';
import type { ListSummary, PlanChange } from '../../shell/api.ts';
import { type PlanDifference, planRow } from './plan/plan-rows.ts';
import { importKinds, importTexts as texts } from './texts.ts';

const rowsAtOnce = 200;

const tones: Record<PlanChange['kind'], BadgeTone> = {
  add: 'good',
  change: 'info',
  retire: 'bad',
  restore: 'good',
  list: 'good',
  title: 'info',
  settings: 'warning',
};

interface PlanTableProps {
  changes: readonly PlanChange[];
  lists: readonly ListSummary[];
  /** Whether to show which list each change belongs to. */
  hasLists: boolean;
}

/** Shows one row for each change, with its fields before and after. */
export function PlanTable({ changes, lists, hasLists }: PlanTableProps) {
  const [most, setMost] = useState(rowsAtOnce);
  const titles = new Map(lists.map((summary) => [summary.list, shownTitle(summary)]));
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: needed for scrolling by keyboard */}
      <section className="table-scroll" tabIndex={0} aria-label={texts.planTitle}>
        <table className="table plan-table">
          <thead>
            <tr>
              <th>{texts.what}</th>
              {hasLists && <th>{itemColumnTexts.list}</th>}
              <th>{itemColumnTexts.value}</th>
              <th>{texts.differences}</th>
            </tr>
          </thead>
          <tbody>
            {changes.slice(0, most).map((change) => (
              <ChangeRow
                key={`${change.list} ${change.kind} ${change.value}`}
                change={change}
                {...(hasLists && { listTitle: titles.get(change.list) ?? change.list })}
              />
            ))}
          </tbody>
        </table>
      </section>
      {changes.length > most && (
        <Button onPress={() => setMost(most + rowsAtOnce)}>
          {texts.showMore(Math.min(rowsAtOnce, changes.length - most))}
        </Button>
      )}
    </>
  );
}

function ChangeRow({ change, listTitle }: { change: PlanChange; listTitle?: string }) {
  const { kind, value, label, differences } = planRow(change);
  return (
    <tr>
      <td>
        <Badge tone={tones[kind]}>{importKinds[kind]}</Badge>
      </td>
      {listTitle !== undefined && (
        <td>
          <bdi>{listTitle}</bdi>
        </td>
      )}
      <td>
        {value !== null && (
          <>
            <bdi>{label}</bdi>
            <code className="quiet plan-value">{value}</code>
          </>
        )}
      </td>
      <td>
        {differences.length > 0 && (
          <ul className="plan-differences">
            {differences.map((difference) => (
              <DifferenceLine
                key={difference.field}
                difference={difference}
                isNew={kind === 'add' || kind === 'list'}
              />
            ))}
          </ul>
        )}
        {change.children !== undefined && <span className="quiet">{sharedListTexts.children(change.children)}</span>}
      </td>
    </tr>
  );
}

/** The titles of settings. The language of a translation is shown behind the title. */
const titles = { ...settingTexts, titles: settingTexts.title, descriptions: settingTexts.description };

function DifferenceLine({
  difference: { field, before, after },
  isNew,
}: {
  difference: PlanDifference;
  isNew: boolean;
}) {
  const [setting = '', tag] = field.split(':');
  const isSetting = Object.hasOwn(titles, setting) && setting !== 'description';
  const named = isSetting ? titles[setting as keyof typeof titles] : fieldTitle(field);
  const name = isSetting && tag !== undefined ? `${named} (${languageName(tag)})` : named;
  return (
    <li>
      <span className="quiet">{name}: </span>
      {!isNew && (
        <>
          <Content field={field} value={before} isOld />
          <ArrowRight aria-hidden="true" size={14} className="flips" />
          <span className="unseen"> {texts.becomes} </span>
        </>
      )}
      <Content field={field} value={after} />
    </li>
  );
}

function Content({ field, value, isOld = false }: { field: string; value: FieldValue; isOld?: boolean }) {
  if (value === null || value.length === 0) return <span className="quiet">{texts.nothingThere}</span>;
  const isDay = field === 'validFrom' || field === 'validTo';
  const text = typeof value === 'string' ? (isDay ? formatDay(value) : value) : value.join(', ');
  return isOld ? (
    <del>
      <bdi>{text}</bdi>
    </del>
  ) : (
    <bdi>{text}</bdi>
  );
}
