// One cell of the grid: a text field that behaves like a cell of a spreadsheet.
import type { ClipboardEvent, KeyboardEvent, MouseEvent } from 'react';
import type { Cell } from '../../data/translation-grid.ts';
import { Button } from '../../parts/button.tsx';
import { translationTexts } from '../../texts/translations.ts';

interface GridCellProps {
  id: string;
  /** Which cell it is, in words. */
  name: string;
  tag: string;
  column: number;
  cell: Cell;
  /** While it is typed, with blanks at the end. */
  typed: string | undefined;
  fault: string | undefined;
  isCurrent: boolean;
  isReadOnly: boolean;
  onFocus: () => void;
  onBlur: () => void;
  onText: (text: string) => void;
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void;
  /** A second click, as F2: arrows move within the text. */
  onEdit: () => void;
  onPaste: (event: ClipboardEvent<HTMLInputElement>) => void;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
}

export function GridCell({ id, name, tag, column, cell, typed, fault, isCurrent, isReadOnly, ...on }: GridCellProps) {
  const isConflict = cell.theirs !== undefined;
  const look = [cell.isChanged && 'changed', isConflict && 'conflict', fault !== undefined && 'wrong'];
  const noteId = isConflict || fault !== undefined ? `${id}-note` : undefined;

  /** The first click selects the cell, as in a spreadsheet; the next one sets the cursor. */
  function onMouseDown(event: MouseEvent<HTMLInputElement>): void {
    const input = event.currentTarget;
    if (document.activeElement === input) on.onEdit();
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
        lang={tag}
        dir="auto"
        autoComplete="off"
        value={typed ?? cell.text}
        readOnly={isReadOnly}
        tabIndex={isCurrent ? 0 : -1}
        onFocus={on.onFocus}
        onBlur={on.onBlur}
        onChange={(event) => on.onText(event.target.value)}
        onKeyDown={on.onKeyDown}
        onMouseDown={onMouseDown}
        onPaste={on.onPaste}
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
            <bdi lang={tag}>{cell.theirs}</bdi>
          </p>
          <Button
            look="plain"
            aria-label={translationTexts.ofCell(translationTexts.keepMine, name)}
            onPress={on.onKeepMine}
          >
            {translationTexts.keepMine}
          </Button>
          <Button
            look="plain"
            aria-label={translationTexts.ofCell(translationTexts.takeTheirs, name)}
            onPress={on.onTakeTheirs}
          >
            {translationTexts.takeTheirs}
          </Button>
        </div>
      )}
    </div>
  );
}
