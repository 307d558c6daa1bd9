// The values of a list: rename in place, move by drag or by keyboard, retire and restore.
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { KeptItem, KeptList } from '../data/admin.ts';
import { Label } from './label.tsx';
import { day } from './parts.tsx';

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
  /** The order while somebody moves a value; undefined while nobody does. */
  const [draft, setDraft] = useState<string[]>();
  const [moving, setMoving] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const [editing, setEditing] = useState<string>();
  /** The version that was shown when somebody picked a value up. */
  const from = useRef(0);
  const [said, setSaid] = useState('');
  const [showsRetired, setShowsRetired] = useState(false);
  const handles = useRef(new Map<string, HTMLButtonElement>());

  const movedByKey = useRef<string>(undefined);
  // Moved in the page, a handle loses the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new order moves it
  useEffect(() => {
    handles.current.get(movedByKey.current ?? '')?.focus();
    movedByKey.current = undefined;
  }, [draft]);

  // They come in the order forms have them. A move saves that order for everybody, so no other is shown here.
  // The one whose label is being typed stays where it is, whatever happens to it meanwhile.
  const isHere = ({ status, value }: KeptItem) => status === 'active' || value === editing;
  const active = list.items.filter(isHere);
  const retired = list.items.filter((item) => !isHere(item));
  const current = active.map(({ value }) => value);
  // With what has come meanwhile, and without what has gone.
  const order = [...new Set([...(draft ?? []), ...current])].filter((value) => current.includes(value));
  const byValue = new Map(list.items.map((item) => [item.value, item]));
  const words = search.trim().toLocaleLowerCase();
  const matches = ({ value, label, labels }: KeptItem) =>
    words === '' || [value, label, ...Object.values(labels)].some((text) => text.toLocaleLowerCase().includes(words));
  const placeOf = new Map(order.map((value, index) => [value, index + 1]));
  const shown = order
    .flatMap((value) => byValue.get(value) ?? [])
    .filter((item) => matches(item) || item.value === editing);
  const shownRetired = retired.filter(matches);

  function place(value: string, index: number): void {
    const next = order.filter((each) => each !== value);
    next.splice(Math.max(0, Math.min(index, next.length)), 0, value);
    setDraft(next);
    setSaid(`${byValue.get(value)?.label}: place ${next.indexOf(value) + 1} of ${next.length}.`);
  }

  function pickUp(value: string): void {
    from.current = list.version;
    setMoving(value);
  }

  async function drop(): Promise<void> {
    setMoving(undefined);
    if (draft === undefined) return;
    const isSame = order.every((value, index) => current[index] === value);
    setSaving(true);
    if (!isSame) await onReorder(order, from.current);
    setSaving(false);
    setDraft(undefined);
  }

  function cancel(): void {
    dragged.current = undefined;
    setMoving(undefined);
    setDraft(undefined);
    setSaid('Not moved.');
  }

  // By pointer: a mouse, a pen or a finger. On the window, since the row itself is moved about under it.
  const dragged = useRef<string>(undefined);
  const now = useRef({ order, place, drop, cancel });
  now.current = { order, place, drop, cancel };
  useEffect(() => {
    const move = ({ clientX, clientY }: PointerEvent) => {
      const value = dragged.current;
      if (value === undefined) return;
      // Near the edge of the window the page goes along.
      if (clientY < 90) scrollBy(0, -24);
      else if (clientY > innerHeight - 60) scrollBy(0, 24);
      const row = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-value]');
      const over = row?.dataset.value;
      if (row == null || over === undefined || over === value) return;
      const { order: places, place: put } = now.current;
      const [from, to] = [places.indexOf(value), places.indexOf(over)];
      const { top, height } = row.getBoundingClientRect();
      // Past its middle, or a tall row and a low one would change places for ever.
      if (to >= 0 && clientY > top + height / 2 === to > from) put(value, to);
    };
    const end = (finish: 'drop' | 'cancel') => () => {
      if (dragged.current === undefined) return;
      dragged.current = undefined;
      void now.current[finish]();
    };
    const giveUp = ({ key }: globalThis.KeyboardEvent) => key === 'Escape' && end('cancel')();
    const listeners = { pointermove: move, pointerup: end('drop'), pointercancel: end('cancel'), keydown: giveUp };
    for (const [name, listener] of Object.entries(listeners)) addEventListener(name, listener as EventListener);
    return () => {
      for (const [name, listener] of Object.entries(listeners)) removeEventListener(name, listener as EventListener);
    };
  }, []);

  function onHandleKey(event: KeyboardEvent, value: string): void {
    const index = order.indexOf(value);
    const step: Record<string, number> = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: order.length };
    if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault();
      if (moving === value) void drop();
      else {
        pickUp(value);
        setSaid(
          `${byValue.get(value)?.label} is picked up. Arrow keys move it, Space puts it down, Escape leaves it where it was.`,
        );
      }
    } else if (event.key === 'Escape' && moving === value) {
      cancel();
    } else if (moving === value && event.key in step) {
      event.preventDefault();
      movedByKey.current = value;
      place(value, step[event.key] ?? index);
    }
  }

  return (
    <>
      <p className="unseen" role="status">
        {said}
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
              aria-pressed={moving === item.value}
              title="Drag, or press Space and use the arrow keys"
              ref={(element) => {
                if (element !== null) handles.current.set(item.value, element);
              }}
              onPointerDown={(event) => {
                if (event.button !== 0) return;
                dragged.current = item.value;
                pickUp(item.value);
              }}
              onKeyDown={(event) => onHandleKey(event, item.value)}
              // By a screen reader or by voice; a mouse and the keyboard have their own ways.
              onClick={(event) => event.detail === 0 && (moving === item.value ? void drop() : pickUp(item.value))}
              // Not when it is only moved in the page.
              onBlur={() =>
                moving === item.value && movedByKey.current === undefined && dragged.current === undefined && cancel()
              }
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
        <details
          className="retired"
          open={showsRetired || (words !== '' && shownRetired.length > 0)}
          onToggle={(event) => setShowsRetired(event.currentTarget.open)}
        >
          <summary>
            {retired.length} retired {retired.length === 1 ? 'value' : 'values'}
          </summary>
          <ol className="rows">
            {shownRetired.map((item) => (
              <li key={item.value}>
                <span className="label" dir="auto">
                  {item.label}
                </span>
                <code>{item.value}</code>
                <span className="quiet">
                  {item.retiredAt !== null && `since ${day(item.retiredAt)}`}
                  {item.replacedBy !== null && `, now ${byValue.get(item.replacedBy)?.label ?? item.replacedBy}`}
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
      )}
    </>
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
