// One row of the grid: a value with its label in each language.
import { memo } from 'react';
import { languageName } from '../../../lists/languages/language-names.ts';
import { Badge } from '../../../parts/badge.tsx';
import type { KeptItem } from '../../../shell/api.ts';
import { type CellPlace, cellKey, cellOf, type Drafts } from '../drafts.ts';
import { translationTexts } from '../texts.ts';
import { GridCell } from './cell.tsx';
import { type CellActions, cellId, type Editing } from './use-editing.ts';

interface GridRowProps {
  item: KeptItem;
  /** Its index among the visible rows. */
  row: number;
  top: number;
  height: number;
  tags: readonly string[];
  drafts: Drafts;
  /** Set if a cell of this row is being edited. */
  editing: Editing | undefined;
  /** The language of the cell that Tab moves to, if it is in this row. */
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
    // biome-ignore lint/a11y/useFocusableInteractive: its text fields have the focus
    // biome-ignore lint/a11y/useSemanticElements: rows of a table cannot be placed one by one
    <div
      role="row"
      aria-rowindex={row + 2}
      className="translation-row"
      style={{ insetBlockStart: top, blockSize: height }}
    >
      {/* biome-ignore lint/a11y/useFocusableInteractive: nothing can be done with it */}
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      <div role="rowheader" aria-colindex={1} className="translation-cell translation-label">
        <bdi title={item.label}>{item.label}</bdi>
        {item.status === 'retired' && <Badge>{translationTexts.retired}</Badge>}
      </div>
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
    </div>
  );
}
