// One row of the grid: a value with its label in each language.

import { type MouseEvent, memo } from 'react';
import { itemTexts } from '../../../lists/items/texts.ts';
import { languageName } from '../../../lists/languages/language-names.ts';
import { Button } from '../../../parts/button.tsx';
import { Badge } from '../../../parts/content.tsx';
import { Cell, Row, RowHeader } from '../../../parts/grid.tsx';
import type { KeptItem } from '../../../shell/api.ts';
import { type CellPlace, cellKey, cellOf, type Drafts, type ShownCell } from '../drafts.ts';
import { translationTexts } from '../texts.ts';
import { type CellActions, cellId, type Editing } from './use-editing.ts';

interface GridRowProps {
  item: KeptItem;
  /** The index of the row among the visible rows. */
  row: number;
  top: number;
  height: number;
  tags: readonly string[];
  drafts: Drafts;
  /** Set if a cell of this row is being edited. */
  editing: Editing | undefined;
  /** The language of the cell that Tab moves to, if that cell is in this row. */
  currentTag: string | undefined;
  isReadOnly: boolean;
  faultOf: (place: CellPlace, text: string) => string | undefined;
  actions: CellActions;
}

export const GridRow = memo(RenderedRow, (one, other) => {
  const { drafts, ...rest } = one;
  const isSame = (Object.keys(rest) as (keyof typeof rest)[]).every((name) => one[name] === other[name]);
  const { value } = one.item;
  return (
    isSame &&
    (drafts === other.drafts ||
      one.tags.every((tag) => drafts.get(cellKey({ value, tag })) === other.drafts.get(cellKey({ value, tag }))))
  );
});

function RenderedRow({ item, row, top, height, tags, drafts, editing, currentTag, ...shared }: GridRowProps) {
  return (
    <Row aria-rowindex={row + 2} className="translation-row" style={{ insetBlockStart: top, blockSize: height }}>
      <RowHeader aria-colindex={1} className="translation-cell translation-label">
        <bdi title={item.label}>{item.label}</bdi>
        {item.status === 'retired' && <Badge>{itemTexts.retired}</Badge>}
      </RowHeader>
      {tags.map((tag, index) => {
        const place = { value: item.value, tag };
        const cell = cellOf(item, tag, drafts);
        return (
          <GridCell
            key={tag}
            id={cellId(place)}
            name={translationTexts.cell(languageName(tag), item.label)}
            place={place}
            column={index + 2}
            cell={cell}
            typed={editing?.tag === tag ? editing.text : undefined}
            fault={cell.isChanged ? shared.faultOf(place, cell.text) : undefined}
            isCurrent={tag === currentTag}
            isReadOnly={shared.isReadOnly}
            actions={shared.actions}
          />
        );
      })}
    </Row>
  );
}

interface GridCellProps {
  id: string;
  /** The accessible name of the cell. */
  name: string;
  place: CellPlace;
  column: number;
  cell: ShownCell;
  /** The untrimmed text while the user types. */
  typed: string | undefined;
  fault: string | undefined;
  isCurrent: boolean;
  isReadOnly: boolean;
  actions: CellActions;
}

/** A text field that behaves like a cell of a spreadsheet. */
function GridCell({ id, name, place, column, cell, typed, fault, isCurrent, isReadOnly, actions }: GridCellProps) {
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
    <Cell aria-colindex={column} className={`translation-cell ${look.filter(Boolean).join(' ')}`}>
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
    </Cell>
  );
}
