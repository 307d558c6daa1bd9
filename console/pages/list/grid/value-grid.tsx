// The values of a list as a grid. Only rows in view are rendered: lists have up to 50,000 values.

import { type FocusEvent, useCallback, useMemo, useRef, useState } from 'react';
import { Popover } from 'react-aria-components/Popover';
import { itemTexts } from '../../../lists/items/texts.ts';
import { Grid, RowGroup, useMedia, useStable } from '../../../parts/grid.tsx';
import { Choices, type MenuChoice } from '../../../parts/menu-button.tsx';
import type { KeptItem } from '../../../shell/api.ts';
import type { Sorting } from '../list-view.ts';
import { listTexts } from '../texts.ts';
import { GridHeader } from './grid-header.tsx';
import type { LabelEditorActions } from './label-editor.tsx';
import { useDrag, useReveal } from './use-drag.ts';
import type { useMoving } from './use-moving.ts';
import { useRowKeys } from './use-row-keys.ts';
import { useRowMoves } from './use-row-moves.ts';
import { useRowHeight, useRowWindow } from './use-row-window.ts';
import type { Selection } from './use-selection.ts';
import { type LastChange, type RowActions, ValueRow } from './value-row.tsx';

export interface Renaming {
  value: string;
  typed: string;
  fault?: string | undefined;
  /** Another item with the same label. The label is saved only if the user confirms it. */
  sameLabel?: KeptItem | undefined;
}

interface ValueGridProps extends Pick<LabelEditorActions, 'type'> {
  list: string;
  title: string;
  rows: readonly KeptItem[];
  day: string;
  languages: readonly string[];
  lastChangeOf: (value: string) => LastChange | undefined;
  mayKeep: boolean;
  sorting: Sorting;
  onSort: (sorting: Sorting) => void;
  moving: ReturnType<typeof useMoving>;
  selection: Selection;
  renaming: Renaming | undefined;
  startRename: (value: string) => void;
  /** Resolves to true if renaming has ended. */
  saveRename: (isConfirmed?: boolean) => Promise<boolean>;
  cancelRename: () => Promise<boolean>;
  open: (value: string) => void;
  retire: (item: KeptItem) => void;
  restore: (item: KeptItem) => void;
}

export function ValueGrid(props: ValueGridProps) {
  const { title, rows, mayKeep, sorting, moving, selection, renaming } = props;
  const body = useRef<HTMLDivElement>(null);
  const rowHeight = useRowHeight(useMedia('(max-width: 48rem)'));
  const { first, end } = useRowWindow(body, rows.length, rowHeight);
  const [menu, setMenu] = useState<{ value: string; button: HTMLElement }>();
  const { text: announcement, announce } = useAnnouncer();

  const reveal = useReveal(body, rows, rowHeight);
  const canMove = mayKeep && sorting.column === 'order';
  const moves = useRowMoves({ rows, moving, selection: selection.values, announce, reveal });
  const { open, startRename } = props;
  const keys = useRowKeys({ body, rows, canMove, mayKeep, open, startRename, ...selection, ...moves });
  const grab = useDrag({
    body,
    rowHeight,
    onStart: moves.startDrag,
    onOver: moves.dragOver,
    onDrop: moves.endDrag,
    onCancel: moves.cancelDrag,
  });

  const positions = useMemo(() => new Map(moving.order.map((value, index) => [value, index + 1])), [moving.order]);
  const menuItem = menu === undefined ? undefined : rows.find(({ value }) => value === menu.value);
  const rename = (value: string) => {
    keys.setCurrent(value);
    startRename(value);
  };
  const endRename = async (value: string, end: () => Promise<boolean>) => {
    if (await end()) keys.focusRow(value);
  };
  const actions = useStable<RowActions>({
    open,
    toggle: selection.toggle,
    startRename: rename,
    type: props.type,
    saveRename: (value, isConfirmed) => endRename(value, () => props.saveRename(isConfirmed)),
    cancelRename: (value) => endRename(value, props.cancelRename),
    moveUp: moves.moveUp,
    moveDown: moves.moveDown,
    showMenu: (value, button) => setMenu({ value, button }),
    grab,
    onHandleKeyDown: moves.onHandleKeyDown,
    onHandleBlur: moves.onHandleBlur,
  });

  const currentRow = rows.some(({ value }) => value === keys.current) ? keys.current : rows[first]?.value;
  // Rows that are focused, edited or held stay rendered when they are out of view.
  const kept = new Set([keys.current, renaming?.value, ...(moving.held ?? [])].slice(0, 50));
  const rendered = useRenderedRows(rows, first, end, kept, moving.held !== undefined);

  const onFocus = (event: FocusEvent) => {
    const value = (event.target as HTMLElement).closest<HTMLElement>('[data-value]')?.dataset.value;
    if (value !== undefined) keys.setCurrent(value);
  };

  return (
    <>
      <Grid
        aria-label={title}
        aria-rowcount={rows.length + 1}
        {...(mayKeep && { 'aria-multiselectable': true })}
        className="boxed value-grid"
        data-read-only={!mayKeep || undefined}
      >
        <RowGroup className="grid-head">
          <GridHeader
            mayKeep={mayKeep}
            sorting={sorting}
            onSort={props.onSort}
            selected={selection.countOf(rows)}
            onSelectAll={selection.selectAll}
          />
        </RowGroup>
        <RowGroup
          ref={body}
          className="grid-body"
          data-moving={moving.held !== undefined || undefined}
          style={{ height: rows.length * rowHeight }}
          onKeyDown={keys.onKeyDown}
          onFocus={onFocus}
        >
          {rendered.map(([item, index]) => (
            <ValueRow
              key={item.value}
              item={item}
              index={index}
              top={index * rowHeight}
              day={props.day}
              languages={props.languages}
              lastChange={props.lastChangeOf(item.value)}
              position={canMove ? positions.get(item.value) : undefined}
              total={moving.order.length}
              mayKeep={mayKeep}
              isSelected={selection.values.has(item.value)}
              isCurrent={item.value === currentRow}
              isHeld={moving.held?.has(item.value) ?? false}
              isMenuOpen={menu?.value === item.value}
              typed={renaming?.value === item.value ? renaming.typed : undefined}
              fault={renaming?.value === item.value ? renaming.fault : undefined}
              sameLabel={renaming?.value === item.value ? renaming.sameLabel : undefined}
              list={props.list}
              actions={actions}
            />
          ))}
        </RowGroup>
      </Grid>
      <p className="unseen" role="status">
        {announcement}
      </p>
      {menu !== undefined && menuItem !== undefined && (
        <RowMenu
          label={menuItem.label}
          button={menu.button}
          onClose={() => setMenu(undefined)}
          choices={rowChoices(menuItem, canMove ? positions.get(menuItem.value) : undefined, moving.order.length, {
            open,
            rename,
            ...moves,
            retire: props.retire,
            restore: props.restore,
          })}
        />
      )}
    </>
  );
}

/** A text for screen readers. A repeated text gets a trailing space, so that it is read again. */
function useAnnouncer() {
  const [text, setText] = useState('');
  const announce = useCallback((next: string) => setText((before) => (before === next ? `${next}\u00a0` : next)), []);
  return { text, announce };
}

/**
 * The rendered rows with their positions. While rows are dragged, they keep their order in the DOM, because moving an
 * element in the DOM releases its pointer capture.
 */
function useRenderedRows(
  rows: readonly KeptItem[],
  first: number,
  end: number,
  kept: ReadonlySet<string | undefined>,
  isHeld: boolean,
): [KeptItem, number][] {
  const order = useRef<ReadonlyMap<string, number>>(undefined);
  const rendered: [KeptItem, number][] = [];
  for (let index = first; index < end; index++) {
    const item = rows[index];
    if (item !== undefined) rendered.push([item, index]);
  }
  const missing = new Set([...kept].filter((value) => !rendered.some(([item]) => item.value === value)));
  missing.delete(undefined);
  if (missing.size > 0) {
    rows.forEach((item, index) => {
      if (missing.has(item.value)) rendered.push([item, index]);
    });
    rendered.sort(([, a], [, b]) => a - b);
  }
  if (!isHeld) order.current = undefined;
  else {
    order.current ??= new Map(rows.map(({ value }, index) => [value, index]));
    const { current } = order;
    const placeOf = (item: KeptItem) => current.get(item.value) ?? 0;
    rendered.sort(([a], [b]) => placeOf(a) - placeOf(b));
  }
  return rendered;
}

interface ChoiceActions {
  open: (value: string) => void;
  rename: (value: string) => void;
  moveUp: (value: string) => void;
  moveDown: (value: string) => void;
  moveToTop: (value: string) => void;
  moveToBottom: (value: string) => void;
  retire: (item: KeptItem) => void;
  restore: (item: KeptItem) => void;
}

/** `position` is undefined if the value cannot be moved. */
function rowChoices(item: KeptItem, position: number | undefined, total: number, actions: ChoiceActions): MenuChoice[] {
  const { value } = item;
  const isFirst = position === undefined || position === 1;
  const isLast = position === undefined || position === total;
  const choice = (id: string, name: string, onChoose: () => void, isDisabled = false): MenuChoice => ({
    id,
    name,
    onChoose,
    isDisabled,
  });
  return [
    choice('edit', listTexts.edit, () => actions.open(value)),
    choice('rename', listTexts.renameAction, () => actions.rename(value)),
    choice('up', listTexts.moveUp, () => actions.moveUp(value), isFirst),
    choice('down', listTexts.moveDown, () => actions.moveDown(value), isLast),
    choice('top', listTexts.moveToTop, () => actions.moveToTop(value), isFirst),
    choice('bottom', listTexts.moveToBottom, () => actions.moveToBottom(value), isLast),
    item.status === 'retired'
      ? choice('restore', itemTexts.restoreAction, () => actions.restore(item))
      : { ...choice('retire', itemTexts.retireAction, () => actions.retire(item)), isDanger: true },
  ];
}

interface RowMenuProps {
  label: string;
  button: HTMLElement;
  choices: readonly MenuChoice[];
  onClose: () => void;
}

/** One menu for all rows: a menu in each row would make scrolling slow. */
function RowMenu({ label, button, choices, onClose }: RowMenuProps) {
  const trigger = useRef(button);
  trigger.current = button;
  return (
    <Popover
      className="popover"
      triggerRef={trigger}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      placement="bottom end"
      aria-label={listTexts.actionsFor(label)}
    >
      <Choices choices={choices} aria-label={listTexts.actionsFor(label)} autoFocus="first" onClose={onClose} />
    </Popover>
  );
}
