// The search, the filters and, on a phone, the sort order.

import { useEffect, useRef } from 'react';
import { itemTexts } from '../../lists/items/texts.ts';
import { Button } from '../../parts/button.tsx';
import { Chips } from '../../parts/chips.tsx';
import { SearchBox, SelectField } from '../../parts/fields.tsx';
import { columnNames } from './grid/grid-header.tsx';
import { type Chip, chips, ownOrder, type Sorting, sortColumns } from './list-view.ts';
import { listTexts } from './texts.ts';

interface ListToolsProps {
  search: string;
  onSearch: (text: string) => void;
  chip: Chip;
  counts: Record<Chip, number>;
  onChip: (chip: Chip) => void;
  sorting: Sorting;
  onSort: (sorting: Sorting) => void;
  mayKeep: boolean;
  shown: number;
}

const chipNames: Record<Chip, string> = {
  all: listTexts.all,
  active: itemTexts.active,
  scheduled: listTexts.scheduled,
  retired: itemTexts.retired,
  untranslated: listTexts.untranslated,
};

export function ListTools(props: ListToolsProps) {
  const { search, onSearch, chip, counts, onChip, sorting, onSort, mayKeep, shown } = props;
  const input = useRef<HTMLInputElement>(null);
  useSlashKey(input);
  return (
    <>
      <div className="list-tools">
        <SearchBox
          ref={input}
          aria-label={listTexts.searchValues}
          placeholder={listTexts.searchHint}
          value={search}
          onChange={(event) => onSearch(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && onSearch('')}
        />
        <Chips
          label={listTexts.filters}
          chips={chips.map((id) => ({ id, name: chipNames[id], count: counts[id] }))}
          value={chip}
          onChange={onChip}
        />
        <div className="phone-sort">
          <SelectField
            label={listTexts.sortBy}
            choices={sortColumns.map((id) => ({ id, name: columnNames[id] }))}
            value={sorting.column}
            onChange={(column) => onSort({ column, isDescending: false })}
          />
        </div>
      </div>
      <p className="unseen" role="status">
        {search === '' && chip === 'all' ? '' : listTexts.shown(shown, counts.all)}
      </p>
      {sorting.column !== 'order' && mayKeep && (
        <p className="sorted-note">
          {listTexts.sortedNote}{' '}
          <Button look="plain" onPress={() => onSort(ownOrder)}>
            {listTexts.showInOrder}
          </Button>
        </p>
      )}
    </>
  );
}

/** `/` focuses the search, unless the user is typing or a dialog is open. */
function useSlashKey(input: { current: HTMLInputElement | null }): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      const isTyping = target.closest('input:not([type=checkbox]), textarea, select, [contenteditable], [role=dialog]');
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping !== null) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [input]);
}
