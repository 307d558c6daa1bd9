// One cell of the grid: a text field that behaves like a cell of a spreadsheet.
import type { MouseEvent } from 'react';
import { Button } from '../../../parts/button.tsx';
import type { Cell, CellPlace } from '../drafts.ts';
import { translationTexts } from '../texts.ts';
import type { CellActions } from './use-editing.ts';

interface GridCellProps {
  id: string;
  /** The accessible name of the cell. */
  name: string;
  place: CellPlace;
  column: number;
  cell: Cell;
  /** The text while typing, untrimmed. */
  typed: string | undefined;
  fault: string | undefined;
  isCurrent: boolean;
  isReadOnly: boolean;
  actions: CellActions;
}

export function GridCell({
  id,
  name,
  place,
  column,
  cell,
  typed,
  fault,
  isCurrent,
  isReadOnly,
  actions,
}: GridCellProps) {
  const isConflict = cell.theirs !== undefined;
  const look = [cell.isChanged && 'changed', isConflict && 'conflict', fault !== undefined && 'wrong'];
  const noteId = isConflict || fault !== undefined ? `${id}-note` : undefined;

  /** As in a spreadsheet, the first click selects the cell and the next one sets the cursor. */
  function onMouseDown(event: MouseEvent<HTMLInputElement>): void {
    const input = event.currentTarget;
    if (document.activeElement === input) actions.onEdit(place);
    else if (event.button === 0) {
      event.preventDefault();
      input.focus();
      input.select();
    }
  }

  return (
    // biome-ignore lint/a11y/useFocusableInteractive: its text field has the focus
    // biome-ignore lint/a11y/useSemanticElements: rows of a table cannot be placed one by one
    <div role="gridcell" aria-colindex={column} className={`translation-cell ${look.filter(Boolean).join(' ')}`}>
      <input
        id={id}
        aria-label={name}
        aria-describedby={noteId}
        aria-invalid={fault !== undefined}
        lang={place.tag}
        dir="auto"
        autoComplete="off"
        value={typed ?? cell.text}
        readOnly={isReadOnly}
        tabIndex={isCurrent ? 0 : -1}
        onFocus={() => actions.onFocus(place)}
        onBlur={() => actions.onBlur(place)}
        onChange={(event) => actions.onText(place, event.target.value)}
        onKeyDown={(event) => actions.onKeyDown(place, event)}
        onMouseDown={onMouseDown}
        onPaste={(event) => actions.onPaste(place, event)}
      />
      {fault !== undefined && (
        <p id={noteId} className="fault">
          {fault}
        </p>
      )}
      {isConflict && fault === undefined && (
        <div className="translation-theirs">
          <p id={noteId}>
            {cell.theirs === '' ? translationTexts.theirsEmpty : `${translationTexts.theirs} `}
            <bdi lang={place.tag}>{cell.theirs}</bdi>
          </p>
          <Button
            look="plain"
            aria-label={translationTexts.ofCell(translationTexts.keepMine, name)}
            onPress={() => actions.keepMine(place)}
          >
            {translationTexts.keepMine}
          </Button>
          <Button
            look="plain"
            aria-label={translationTexts.ofCell(translationTexts.takeTheirs, name)}
            onPress={() => actions.takeTheirs(place)}
          >
            {translationTexts.takeTheirs}
          </Button>
        </div>
      )}
    </div>
  );
}
