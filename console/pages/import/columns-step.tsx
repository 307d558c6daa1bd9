import { useEffect, useRef, useState } from 'react';
import { shownTitle } from '../../lists/texts.ts';
import { Button } from '../../parts/button.tsx';
import { type Choice, SelectField } from '../../parts/fields.tsx';
import type { KeptList, ListSummary } from '../../shell/api.ts';
import { ErrorNote } from '../../shell/error-note.tsx';
import { ColumnTable } from './column-table.tsx';
import { Faults } from './faults.tsx';
import { ambiguousDates, rowsOf } from './plan/choices.ts';
import { importTexts as texts } from './texts.ts';
import type { Import } from './use-import.ts';

interface ColumnsStepProps {
  work: Import;
  list: string | undefined;
  lists: readonly ListSummary[];
  kept: KeptList | undefined;
}

/** The ID of the option that takes the list from a column. An ID in a select cannot be empty. */
const byColumn = '-';

/** The second step: the user confirms columns and date formats. */
export function ColumnsStep({ work, list, lists, kept }: ColumnsStepProps) {
  const { state, setChoices, setSheet, check, startAgain } = work;
  const { file, choices, fileName, working, error, outcome } = state;
  const [hasTried, setTried] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that led to this step no longer exists, so the focus would be lost.
  useEffect(() => heading.current?.focus(), []);
  if (file?.kind !== 'table' || choices === undefined) return null;
  const rows = rowsOf(file, choices.sheet);
  const dates = ambiguousDates(file, choices);
  const isAnswered = dates.every(({ column }) => choices.dayOrders[column.field] !== undefined);
  const sheets = file.sheets.map((sheet, index): Choice => ({ id: String(index), name: sheet.name }));
  const targets: Choice[] = [
    { id: byColumn, name: texts.byColumn },
    ...lists.filter(({ mayKeep }) => mayKeep).map((summary) => ({ id: summary.list, name: shownTitle(summary) })),
  ];
  return (
    <div className="stack">
      <div className="import-head">
        <div>
          <h2 ref={heading} tabIndex={-1}>
            {texts.columnsTitle}
          </h2>
          <p className="quiet">{texts.columnsText}</p>
        </div>
        <p className="row quiet">
          <bdi>{texts.fileName(fileName, Math.max(0, rows.length - choices.headerRow - 1))}</bdi>
          <Button look="plain" onPress={startAgain}>
            {texts.otherFile}
          </Button>
        </p>
      </div>
      <ErrorNote error={error} onRetry={check} />
      {outcome !== undefined && <Faults outcome={outcome} work={work} />}
      <div className="import-options">
        {sheets.length > 1 && (
          <SelectField
            label={texts.sheet}
            choices={sheets}
            value={String(choices.sheet)}
            onChange={(sheet) => setSheet(Number(sheet))}
          />
        )}
        {list === undefined && (
          <SelectField
            label={texts.forList}
            choices={targets}
            value={choices.list ?? byColumn}
            onChange={(target) => setChoices({ list: target === byColumn ? null : target })}
          />
        )}
        {dates.map(({ column, example }) => (
          <SelectField
            key={column.index}
            label={texts.dayOrder(column.header)}
            hint={texts.dayOrderHint}
            placeholder={texts.chooseField}
            choices={[
              { id: 'day-first', name: texts.dayFirst(readAs(example, true)) },
              { id: 'month-first', name: texts.monthFirst(readAs(example, false)) },
            ]}
            value={choices.dayOrders[column.field] ?? null}
            fault={hasTried && choices.dayOrders[column.field] === undefined ? texts.chooseField : undefined}
            onChange={(order) => setChoices({ dayOrders: { ...choices.dayOrders, [column.field]: order } })}
          />
        ))}
      </div>
      <ColumnTable
        rows={rows}
        choices={choices}
        hasListColumn={list === undefined && choices.list === null}
        lists={lists}
        kept={kept}
        known={work.known}
        onChange={(columns) => setChoices({ columns })}
      />
      <label className="checkbox">
        <input
          type="checkbox"
          checked={choices.emptyClears}
          onChange={(event) => setChoices({ emptyClears: event.target.checked })}
        />
        <span>
          {texts.emptyClears}
          <span className="hint">{texts.emptyClearsHint}</span>
        </span>
      </label>
      <div className="apply-bar">
        <span className="quiet" role="status">
          {working === undefined ? '' : texts.checking}
        </span>
        <Button
          look="primary"
          isPending={working !== undefined}
          onPress={() => {
            setTried(true);
            if (isAnswered) check();
          }}
        >
          {texts.continue}
        </Button>
      </div>
    </div>
  );
}

/** Reads `03/04/2027` with the day first or the month first, and formats it with the name of the month. */
function readAs(example: string, isDayFirst: boolean): string {
  const [first = 1, second = 1, year = 2000] = example.split(/[/-]/).map(Number);
  const [day, month] = isDayFirst ? [first, second] : [second, first];
  const date = new Date(Date.UTC(year < 100 ? 2000 + year : year, month - 1, day));
  const text = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'long', timeZone: 'UTC' }).format(
    date,
  );
  return `${example} = ${text}`;
}
