// The values of a list as a grid. Only the rows in view are drawn: lists have up to 50,000 values.
import { type FocusEvent, useMemo, useRef, useState } from 'react';
import type { KeptItem } from '../../../../src/lookup/lookup-admin.schema.ts';
import type { Sorting } from '../list-view.ts';
import { GridHeader } from './grid-header.tsx';
import { Grid, RowGroup } from './grid-parts.tsx';
import type { LabelEditorActions } from './label-editor.tsx';
import { rowChoices } from './row-choices.ts';
import { RowMenu } from './row-menu.tsx';
import type { LastChange } from './row-parts.tsx';
import type { RowActions } from './row-props.ts';
import { useAnnouncer } from './use-announcer.ts';
import { useDrag } from './use-drag.ts';
import { useDrawnRows } from './use-drawn-rows.ts';
import type { useMoving } from './use-moving.ts';
import { useReveal } from './use-reveal.ts';
import { useRowKeys } from './use-row-keys.ts';
import { useRowMoves } from './use-row-moves.ts';
import { useIsPhone, useRowHeight, useRowWindow } from './use-row-window.ts';
import type { Selection } from './use-selection.ts';
import { useStable } from './use-stable.ts';
import { ValueRow } from './value-row.tsx';

export interface Renaming {
  value: string;
  typed: string;
  fault?: string | undefined;
}

interface ValueGridProps extends Pick<LabelEditorActions, 'type'> {
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
  /** True when renaming has ended. */
  saveRename: () => Promise<boolean>;
  cancelRename: () => Promise<boolean>;
  open: (value: string) => void;
  retire: (item: KeptItem) => void;
  restore: (item: KeptItem) => void;
}

export function ValueGrid(props: ValueGridProps) {
  const { title, rows, mayKeep, sorting, moving, selection, renaming } = props;
  const body = useRef<HTMLDivElement>(null);
  const rowHeight = useRowHeight(useIsPhone());
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
    saveRename: (value) => endRename(value, props.saveRename),
    cancelRename: (value) => endRename(value, props.cancelRename),
    moveUp: moves.moveUp,
    moveDown: moves.moveDown,
    showMenu: (value, button) => setMenu({ value, button }),
    grab,
    onHandleKeyDown: moves.onHandleKeyDown,
    onHandleBlur: moves.onHandleBlur,
  });

  const currentRow = rows.some(({ value }) => value === keys.current) ? keys.current : rows[first]?.value;
  // Out of view too: what has the focus, is edited or held has to stay in the document.
  const kept = new Set([keys.current, renaming?.value, ...(moving.held ?? [])].slice(0, 50));
  const drawn = useDrawnRows(rows, first, end, kept, moving.held !== undefined);

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
        className="value-grid"
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
          {drawn.map(([item, index]) => (
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
