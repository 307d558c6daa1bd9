import { CircleAlert, CircleCheck } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Note } from '../../parts/content.tsx';
import { shellTexts } from '../../shell/texts.ts';
import { useUnsaved } from '../../shell/unsaved.tsx';
import { cellText, columnLetters } from './file/cells.ts';
import { rowsOf } from './plan/choices.ts';
import type { ImportFault } from './plan/faults.ts';
import type { PlanOutcome } from './plan/make-plan.ts';
import { importTexts as texts } from './texts.ts';
import type { Import } from './use-import.ts';

const maxShown = 500;

interface FaultsProps {
  outcome: PlanOutcome;
  /** Undefined for a file that is not a table: its faults have line numbers and cannot be corrected here. */
  work?: Import;
}

/** All faults of the file by row and column. Cells can be corrected here. */
export function Faults({ outcome, work }: FaultsProps) {
  const table = useRef<HTMLElement>(null);
  const note = useRef<HTMLDivElement>(null);
  const isCorrecting = useRef(false);
  // After a correction, focuses the next cell to correct. Otherwise focuses the note, because the button that the user
  // pressed may be far below it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each new outcome
  useEffect(() => {
    if (table.current?.contains(document.activeElement)) return;
    const next = isCorrecting.current ? table.current?.querySelector('input') : undefined;
    (next ?? note.current)?.focus();
    isCorrecting.current = false;
  }, [outcome]);
  if (outcome.kind === 'planned') {
    if (work?.state.step !== 'columns' || !work.state.hasInput) return null;
    return (
      <Note tone="info" Icon={CircleCheck} role="status" ref={note} tabIndex={-1}>
        <strong>{texts.allCorrected}</strong>
        <p>{texts.allCorrectedText}</p>
      </Note>
    );
  }
  if (outcome.kind === 'too-large') {
    const { rows, bytes, limit, rowsThatFit } = outcome.size;
    return (
      <Note tone="bad" Icon={CircleAlert} role="alert" ref={note} tabIndex={-1}>
        <strong>{texts.tooLargeTitle}</strong>
        <p>{texts.tooLargeText(rows, bytes, limit, rowsThatFit)}</p>
      </Note>
    );
  }
  const { faults, count, otherRows } = outcome;
  const shown = faults.slice(0, maxShown);
  return (
    <div className="import-faults stack">
      <Note tone="bad" Icon={CircleAlert} role="alert" ref={note} tabIndex={-1}>
        <strong>{texts.faultsTitle(count)}</strong>
        <p>{work === undefined ? texts.faultsTextDocument : texts.faultsText}</p>
      </Note>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: needed for scrolling by keyboard */}
      <section className="table-scroll" tabIndex={0} aria-label={texts.faultsTitle(count)} ref={table}>
        <table className="table">
          <thead>
            <tr>
              <th>{work === undefined ? texts.line : texts.row}</th>
              {work !== undefined && <th>{texts.column}</th>}
              {work !== undefined && <th>{texts.content}</th>}
              <th>{texts.problem}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((fault, index) => (
              <FaultRow
                // With this key, a cell keeps its field and the focus while other faults disappear. The key includes a
                // count, because a cell may have several faults.
                key={`${fault.row} ${fault.column} ${countBefore(shown, index)}`}
                fault={fault}
                work={work}
                onCorrect={() => {
                  isCorrecting.current = true;
                }}
              />
            ))}
          </tbody>
        </table>
      </section>
      {count > shown.length && <p className="quiet">{texts.faultsMore(count - shown.length)}</p>}
      {work !== undefined && otherRows > 0 && (
        <p className="row">
          <Button isDisabled={work.state.working !== undefined} onPress={work.importOthers}>
            {texts.importOthers(otherRows)}
          </Button>
        </p>
      )}
    </div>
  );
}

/** Number of faults in the same cell directly before this one. Faults are sorted by cell. */
function countBefore(faults: readonly ImportFault[], index: number): number {
  const { row, column } = faults[index] ?? {};
  let count = 0;
  while (faults[index - count - 1]?.row === row && faults[index - count - 1]?.column === column && count < index)
    count++;
  return count;
}

interface FaultRowProps {
  fault: ImportFault;
  work: Import | undefined;
  onCorrect: () => void;
}

function FaultRow({ fault: { row, column, message }, work, onCorrect }: FaultRowProps) {
  const choices = work?.state.choices;
  const header = column === null ? '' : (choices?.columns.find(({ index }) => index === column)?.header ?? '');
  const canCorrect = row !== null && column !== null && choices !== undefined && row > choices.headerRow + 1;
  return (
    <tr>
      <td>{row === null ? texts.wholeFile : work === undefined ? shellTexts.line(row) : texts.rowNumber(row)}</td>
      {work !== undefined && (
        <td>
          {column !== null && (
            <>
              <span className="quiet">{columnLetters(column)}</span> <bdi>{header}</bdi>
            </>
          )}
        </td>
      )}
      {work !== undefined && (
        <td>
          {canCorrect && <CellField work={work} row={row} column={column} header={header} onCorrect={onCorrect} />}
        </td>
      )}
      <td>{message}</td>
    </tr>
  );
}

interface CellFieldProps {
  work: Import;
  row: number;
  column: number;
  header: string;
  onCorrect: () => void;
}

/** Longer than any field of a value may be. */
const maxLength = 10_000;

/** A field for a cell of the file. Enter or leaving the field writes the text to the cell; Escape discards the text. */
function CellField({ work, row, column, header, onCorrect }: CellFieldProps) {
  const { file, choices } = work.state;
  const cell = file?.kind === 'table' && choices ? rowsOf(file, choices.sheet)[row - 1]?.[column] : undefined;
  const current = cellText(cell);
  const [typed, setTyped] = useState<string>();
  useUnsaved(typed !== undefined && typed.trim() !== current);
  const take = () => {
    if (typed === undefined || typed.trim() === current) return;
    onCorrect();
    work.correct(row, column, typed);
    setTyped(undefined);
  };
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'Enter') take();
    if (key === 'Escape') setTyped(undefined);
  };
  return (
    <input
      className="input"
      aria-label={texts.contentOf(header || columnLetters(column), row)}
      value={typed ?? current}
      maxLength={maxLength}
      dir="auto"
      onChange={(event) => setTyped(event.target.value)}
      onBlur={take}
      onKeyDown={onKeyDown}
    />
  );
}
