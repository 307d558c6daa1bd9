// Column headers with sort buttons.

import { ArrowDown, ArrowUp } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { itemColumnTexts } from '../../../lists/columns/texts.ts';
import { itemTexts } from '../../../lists/items/texts.ts';
import { sharedListTexts } from '../../../lists/texts.ts';
import { ColumnHeader, Row } from '../../../parts/grid.tsx';
import { ownOrder, type SortColumn, type Sorting } from '../list-view.ts';
import { listTexts } from '../texts.ts';

interface GridHeaderProps {
  mayKeep: boolean;
  sorting: Sorting;
  onSort: (sorting: Sorting) => void;
  /** How many of the visible rows are selected. */
  selected: 'none' | 'some' | 'all';
  onSelectAll: () => void;
}

export const columnNames: Record<SortColumn, string> = {
  order: listTexts.listOrder,
  label: itemColumnTexts.label,
  value: itemColumnTexts.value,
  status: itemTexts.status,
  lastChange: listTexts.lastChange,
};

export function GridHeader({ mayKeep, sorting, onSort, selected, onSelectAll }: GridHeaderProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = selected === 'some';
  }, [selected]);
  const column = (name: SortColumn, className: string) => (
    <SortHeader name={name} className={className} sorting={sorting} onSort={onSort} />
  );
  return (
    <Row aria-rowindex={1} className="grid-header">
      {mayKeep && (
        <>
          <ColumnHeader className="select-cell" aria-label={listTexts.selection}>
            <input
              ref={box}
              type="checkbox"
              checked={selected === 'all'}
              aria-label={listTexts.selectAll}
              onChange={onSelectAll}
            />
          </ColumnHeader>
          <SortHeader name="order" className="handle-cell" sorting={sorting} onSort={onSort} isIcon />
        </>
      )}
      {column('label', 'label-cell')}
      {column('value', 'value-cell')}
      {column('status', 'status-cell')}
      <ColumnHeader className="translations-cell">{sharedListTexts.translations}</ColumnHeader>
      {column('lastChange', 'change-cell')}
      {mayKeep && (
        <ColumnHeader className="actions-cell">
          <span className="unseen">{listTexts.actions}</span>
        </ColumnHeader>
      )}
    </Row>
  );
}

interface SortHeaderProps {
  name: SortColumn;
  className: string;
  sorting: Sorting;
  onSort: (sorting: Sorting) => void;
  /** Whether to show an icon instead of the name, to save room. */
  isIcon?: boolean;
}

function SortHeader({ name, className, sorting, onSort, isIcon = false }: SortHeaderProps) {
  const isSorted = sorting.column === name;
  const Arrow = sorting.isDescending ? ArrowDown : ArrowUp;
  // A third press returns to list order, which has only one direction.
  const next = !isSorted ? { column: name, isDescending: false } : sorting.isDescending ? ownOrder : reverse(sorting);
  return (
    <ColumnHeader
      className={className}
      aria-sort={isSorted ? (sorting.isDescending ? 'descending' : 'ascending') : 'none'}
      {...(isIcon && { 'aria-label': listTexts.order })}
    >
      <button
        type="button"
        className="sort-button"
        title={listTexts.sortByColumn(columnNames[name])}
        {...(isIcon && { 'aria-label': listTexts.sortByColumn(columnNames[name]) })}
        onClick={() => onSort(next)}
      >
        {isIcon ? <span aria-hidden="true">#</span> : columnNames[name]}
        {isSorted && !isIcon && <Arrow aria-hidden="true" size={14} />}
      </button>
    </ColumnHeader>
  );
}

const reverse = (sorting: Sorting): Sorting =>
  sorting.column === 'order' ? sorting : { ...sorting, isDescending: true };
