// The values of a list: rename in place, move by drag or by keyboard, retire and restore.
import { useState } from 'react';
import type { KeptItem, KeptList } from '../data/admin.ts';
import { Label } from './label.tsx';
import { day } from './parts.tsx';
import { useReordering } from './use-reordering.ts';

interface RowsProps {
  list: KeptList;
  search: string;
  /** From the version it was begun at. */
  onRename: (item: KeptItem, label: string, from: number) => Promise<boolean>;
  onReorder: (values: string[], from: number) => Promise<boolean>;
  onRestore: (item: KeptItem) => void;
  onEdit: (item: KeptItem) => void;
  onRetire: (item: KeptItem) => void;
}

export function Rows({ list, search, onRename, onReorder, onRestore, onEdit, onRetire }: RowsProps) {
  const [editing, setEditing] = useState<string>();
  // The one whose label is being edited stays here, also when others retire it meanwhile.
  const isHere = ({ status, value }: KeptItem) => status === 'active' || value === editing;
  const active = list.items.filter(isHere);
  const retired = list.items.filter((item) => !isHere(item));
  const byValue = new Map(list.items.map((item) => [item.value, item]));
  const labelOf = (value: string) => byValue.get(value)?.label ?? value;
  // In the order that forms have: a move saves that order for everybody, so no other is shown here.
  const current = active.map(({ value }) => value);
  const { order, moving, isSaving, announcement, handleProps } = useReordering({
    current,
    version: list.version,
    labelOf,
    onReorder,
  });
  const words = search.trim().toLocaleLowerCase();
  const matches = ({ value, label, labels }: KeptItem) =>
    words === '' || [value, label, ...Object.values(labels)].some((text) => text.toLocaleLowerCase().includes(words));
  const placeOf = new Map(order.map((value, index) => [value, index + 1]));
  const shown = order
    .flatMap((value) => byValue.get(value) ?? [])
    .filter((item) => matches(item) || item.value === editing);
  const shownRetired = retired.filter(matches);

  return (
    <>
      <p className="unseen" role="status">
        {announcement}
      </p>
      {active.length === 0 && (
        <p className="card quiet">
          {retired.length === 0 ? 'This list is empty. Add its first value.' : 'Every value of this list is retired.'}
        </p>
      )}
      {active.length > 0 && shown.length === 0 && shownRetired.length === 0 && (
        <p className="card quiet">Nothing matches “{search}”.</p>
      )}
      <ol className="rows">
        {shown.map((item) => (
          <li key={item.value} data-moving={moving === item.value} data-value={item.value}>
            <button
              type="button"
              className="handle"
              disabled={words !== '' || isSaving}
              aria-label={`Move ${item.label}, place ${placeOf.get(item.value)} of ${order.length}`}
              title="Drag, or press Space and use the arrow keys"
              {...handleProps(item.value)}
            >
              ⠿
            </button>
            <Label item={item} version={list.version} onRename={onRename} onEditing={setEditing} />
            <code>{item.value}</code>
            <Marks item={item} />
            <span className="row">
              <button type="button" className="plain" onClick={() => onEdit(item)} aria-label={`Edit ${item.label}`}>
                Edit
              </button>
              <button
                type="button"
                className="plain"
                onClick={() => onRetire(item)}
                aria-label={`Retire ${item.label}`}
              >
                Retire
              </button>
            </span>
          </li>
        ))}
      </ol>
      {retired.length > 0 && (
        <RetiredRows
          count={retired.length}
          items={shownRetired}
          isFound={words !== '' && shownRetired.length > 0}
          labelOf={labelOf}
          onRestore={onRestore}
        />
      )}
    </>
  );
}

interface RetiredRowsProps {
  count: number;
  items: KeptItem[];
  /** Whether a search matches some: then they are shown. */
  isFound: boolean;
  labelOf: (value: string) => string;
  onRestore: (item: KeptItem) => void;
}

function RetiredRows({ count, items, isFound, labelOf, onRestore }: RetiredRowsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="retired" open={isOpen || isFound} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {count} retired {count === 1 ? 'value' : 'values'}
      </summary>
      <ol className="rows">
        {items.map((item) => (
          <li key={item.value}>
            <span className="label" dir="auto">
              {item.label}
            </span>
            <code>{item.value}</code>
            <span className="quiet">
              {item.retiredAt !== null && `since ${day(item.retiredAt)}`}
              {item.replacedBy !== null && `, now ${labelOf(item.replacedBy)}`}
            </span>
            <button
              type="button"
              className="plain"
              onClick={() => onRestore(item)}
              aria-label={`Restore ${item.label}`}
            >
              Restore
            </button>
          </li>
        ))}
      </ol>
    </details>
  );
}

function Marks({ item: { labels, validFrom, validTo } }: { item: KeptItem }) {
  const languages = Object.keys(labels);
  const dates = [validFrom !== null && `from ${day(validFrom)}`, validTo !== null && `to ${day(validTo)}`].filter(
    Boolean,
  );
  return (
    <span className="marks">
      {dates.length > 0 && <span className="badge">{dates.join(' ')}</span>}
      {languages.length > 0 && (
        <span className="badge" title="Translations">
          {languages.join(', ')}
        </span>
      )}
    </span>
  );
}
