// Handles keys, clicks and pastes in the grid's cells.
import { type ClipboardEvent, type KeyboardEvent, useState } from 'react';
import { useLocale } from 'react-aria-components/I18nProvider';
import { useStable } from '../../../parts/grid.tsx';
import { type CellPlace, cellKey, cellOf } from '../drafts.ts';
import type { GridDrafts } from '../use-drafts.ts';
import type { GridView } from '../use-view.ts';
import { type GridPlace, moveFor } from './grid-moves.ts';

export interface Editing extends CellPlace {
  /** The untrimmed text as typed. */
  text: string;
  /** The text before editing, restored by Escape. */
  before: string;
  /** Whether arrow keys move within the text. */
  isInText: boolean;
}

export interface CellActions {
  onFocus(place: CellPlace): void;
  onBlur(place: CellPlace): void;
  onText(place: CellPlace, text: string): void;
  /** A second click works like F2. */
  onEdit(place: CellPlace): void;
  onKeyDown(place: CellPlace, event: KeyboardEvent<HTMLInputElement>): void;
  onPaste(place: CellPlace, event: ClipboardEvent<HTMLInputElement>): void;
  keepMine(place: CellPlace): void;
  takeTheirs(place: CellPlace): void;
}

interface EditingOptions {
  view: GridView;
  drafts: GridDrafts;
  /** Number of rows in view. */
  page: number;
  rowOf: ReadonlyMap<string, number>;
  isReadOnly: boolean;
  /** The id of the field to focus. */
  focus: { current: string | undefined };
  onCurrent: (place: CellPlace) => void;
  onPaste: (block: string, start: GridPlace) => void;
  onLeave: () => void;
}

export const cellId = ({ value, tag }: CellPlace) => `cell-${value}-${tag}`;

export function useEditing({ view, drafts, page, rowOf, isReadOnly, focus, ...on }: EditingOptions) {
  const [editing, setEditing] = useState<Editing>();
  const { direction } = useLocale();
  const { rows, tags } = view;
  const editingAt = (place: CellPlace) =>
    editing !== undefined && cellKey(editing) === cellKey(place) ? editing : undefined;
  const placeOf = ({ value, tag }: CellPlace): GridPlace => ({ row: rowOf.get(value) ?? 0, column: tags.indexOf(tag) });

  function begin(place: CellPlace, isInText: boolean, text?: string): void {
    const item = drafts.items.get(place.value);
    const shown = item === undefined ? '' : cellOf(item, place.tag, drafts.drafts).text;
    setEditing({ ...place, text: text ?? shown, before: shown, isInText });
  }

  function moveTo({ row, column }: GridPlace): void {
    const [value, tag] = [rows[row]?.value, tags[column]];
    if (value === undefined || tag === undefined) return;
    setEditing(undefined);
    focus.current = cellId({ value, tag });
    on.onCurrent({ value, tag });
  }

  function cancel(place: CellPlace): void {
    const current = editingAt(place);
    setEditing(undefined);
    if (current === undefined) {
      on.onLeave();
      return;
    }
    drafts.type([{ ...place, text: current.before }]);
    // The cell's text is selected again, so that the next key replaces it.
    focus.current = cellId(place);
  }

  const actions: CellActions = {
    onFocus: on.onCurrent,
    onBlur: (place) => setEditing((current) => (current && cellKey(current) === cellKey(place) ? undefined : current)),
    onText(place, text) {
      const current = editingAt(place);
      if (current === undefined) begin(place, false, text);
      else setEditing({ ...current, text });
      drafts.type([{ ...place, text }]);
    },
    onEdit(place) {
      const current = editingAt(place);
      if (isReadOnly) return;
      if (current === undefined) begin(place, true);
      else setEditing({ ...current, isInText: true });
    },
    onKeyDown(place, event) {
      if (event.nativeEvent.isComposing) return;
      const current = editingAt(place);
      const mode = { isInText: current?.isInText === true, isRightToLeft: direction === 'rtl' };
      const next = moveFor(event, placeOf(place), { rows: rows.length, columns: tags.length, page }, mode);
      const isUndo = event.key === 'z' && (event.ctrlKey || event.metaKey) && current === undefined;
      if (event.key === 'F2') {
        actions.onEdit(place);
        event.currentTarget.setSelectionRange(event.currentTarget.value.length, event.currentTarget.value.length);
      } else if (event.key === 'Escape') cancel(place);
      else if (next !== undefined) moveTo(next);
      else if (!(isUndo && drafts.undoLastPaste())) return;
      event.preventDefault();
    },
    onPaste(place, event) {
      const text = event.clipboardData.getData('text/plain');
      // A single cell is pasted into the text by the browser.
      if (isReadOnly || !/[\t\n\r]/.test(text.replace(/\r?\n$/, ''))) return;
      event.preventDefault();
      setEditing(undefined);
      on.onPaste(text, placeOf(place));
    },
    keepMine: drafts.keepMine,
    takeTheirs: drafts.takeTheirs,
  };
  return { editing, actions: useStable(actions) };
}
