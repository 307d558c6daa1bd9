import { CircleAlert } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Note } from '../../parts/content.tsx';
import { shellTexts } from '../../shell/texts.ts';
import { columnLetters } from './file/cells.ts';
import type { Column } from './plan/columns.ts';
import type { ImportFault } from './plan/faults.ts';
import type { PlanOutcome } from './plan/make-plan.ts';
import { importTexts as texts } from './texts.ts';

const maxShown = 500;

interface FaultsProps {
  outcome: PlanOutcome;
  /** Undefined for a file that is not a table: its faults have line numbers. */
  columns: readonly Column[] | undefined;
}

/** All faults of the file by row and column. */
export function Faults({ outcome, columns }: FaultsProps) {
  const note = useRef<HTMLDivElement>(null);
  // Focuses the note, because the button that was pressed may be far below it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each new outcome
  useEffect(() => note.current?.focus(), [outcome]);
  if (outcome.kind === 'planned') return null;
  if (outcome.kind === 'too-large') {
    const { rows, bytes, limit, rowsThatFit } = outcome.size;
    return (
      <Note tone="bad" Icon={CircleAlert} role="alert" ref={note} tabIndex={-1}>
        <strong>{texts.tooLargeTitle}</strong>
        <p>{texts.tooLargeText(rows, bytes, limit, rowsThatFit)}</p>
      </Note>
    );
  }
  const { faults, count } = outcome;
  const shown = faults.slice(0, maxShown);
  return (
    <div className="import-faults">
      <Note tone="bad" Icon={CircleAlert} role="alert" ref={note} tabIndex={-1}>
        <strong>{texts.faultsTitle(count)}</strong>
        <p>{texts.faultsText}</p>
      </Note>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: needed for scrolling by keyboard */}
      <section className="table-scroll" tabIndex={0} aria-label={texts.faultsTitle(count)}>
        <table className="table">
          <thead>
            <tr>
              <th>{columns === undefined ? texts.line : texts.row}</th>
              {columns !== undefined && <th>{texts.column}</th>}
              <th>{texts.problem}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((fault, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the faults are never reordered
              <FaultRow key={index} fault={fault} columns={columns} />
            ))}
          </tbody>
        </table>
      </section>
      {count > shown.length && <p className="quiet">{texts.faultsMore(count - shown.length)}</p>}
    </div>
  );
}

function FaultRow({ fault: { row, column, message }, columns }: { fault: ImportFault } & Pick<FaultsProps, 'columns'>) {
  const header = column === null ? '' : columns?.find(({ index }) => index === column)?.header;
  return (
    <tr>
      <td>{row === null ? texts.wholeFile : columns === undefined ? shellTexts.line(row) : texts.rowNumber(row)}</td>
      {columns !== undefined && (
        <td>
          {column !== null && (
            <>
              <span className="quiet">{columnLetters(column)}</span> <bdi>{header}</bdi>
            </>
          )}
        </td>
      )}
      <td>{message}</td>
    </tr>
  );
}
