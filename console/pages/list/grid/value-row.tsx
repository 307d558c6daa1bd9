// One row of the grid.
import { ChevronDown, ChevronUp, Ellipsis, GripVertical, Pencil } from 'lucide-react';
import { type KeyboardEvent, type MouseEvent, memo, type PointerEvent } from 'react';
import { authorName } from '../../../lists/actor.ts';
import { StatusBadge } from '../../../lists/items/status-badge.tsx';
import { Moment } from '../../../parts/format.tsx';
import { Cell, Row, RowHeader } from '../../../parts/grid.tsx';
import type { KeptItem } from '../../../shell/api.ts';
import { translatedCount } from '../list-view.ts';
import { listTexts } from '../texts.ts';
import { LabelEditor, type LabelEditorActions } from './label-editor.tsx';

/** The time to wait for a second click before the first one opens the panel. */
const doubleClickMs = 220;
let openSoon: ReturnType<typeof setTimeout> | undefined;

export const ValueRow = memo(function ValueRow(props: ValueRowProps) {
  const { item, index, top, day, languages, lastChange, mayKeep, isSelected, isCurrent, isHeld, typed, actions } =
    props;
  const { value, label } = item;

  function onClick(event: MouseEvent): void {
    const target = event.target as HTMLElement;
    if (target.closest('button, input, a, .label-editor') !== null) return;
    if (mayKeep && (event.ctrlKey || event.metaKey || event.shiftKey)) {
      actions.toggle(value, event.shiftKey);
      return;
    }
    clearTimeout(openSoon);
    if (event.detail > 1) return;
    const isLabel = mayKeep && target.closest('.label-cell') !== null;
    if (isLabel) openSoon = setTimeout(() => actions.open(value), doubleClickMs);
    else actions.open(value);
  }

  function onDoubleClick(event: MouseEvent): void {
    if (!mayKeep || (event.target as HTMLElement).closest('.label-text') === null) return;
    clearTimeout(openSoon);
    actions.startRename(value);
  }

  return (
    <Row
      aria-rowindex={index + 2}
      {...(mayKeep && { 'aria-selected': isSelected })}
      tabIndex={isCurrent ? 0 : -1}
      className="value-row"
      data-value={value}
      data-held={isHeld || undefined}
      data-retired={item.status === 'retired' || undefined}
      style={{ transform: `translateY(${top}px)` }}
      onClick={onClick}
      onDoubleClick={onDoubleClick}
    >
      {mayKeep && <LeadingCells {...props} />}
      <RowHeader className="label-cell" aria-label={label}>
        {typed === undefined ? (
          <>
            <span className="label-text" dir="auto" title={label}>
              {label}
            </span>
            {mayKeep && (
              <button
                type="button"
                className="row-button on-hover wide-only"
                tabIndex={isCurrent ? 0 : -1}
                aria-label={listTexts.rename(label)}
                title={listTexts.renameAction}
                onClick={() => actions.startRename(value)}
              >
                <Pencil aria-hidden="true" size={14} />
              </button>
            )}
          </>
        ) : (
          <LabelEditor
            list={props.list}
            value={value}
            label={label}
            typed={typed}
            fault={props.fault}
            sameLabel={props.sameLabel}
            actions={actions}
          />
        )}
      </RowHeader>
      <Cell className="value-cell">
        <code title={value}>{value}</code>
      </Cell>
      <Cell className="status-cell">
        <StatusBadge item={item} day={day} />
      </Cell>
      <Cell className="translations-cell wide-only">
        <bdi>
          {languages.length === 0
            ? listTexts.noTranslations
            : listTexts.translated(translatedCount(item, languages), languages.length)}
        </bdi>
      </Cell>
      <Cell className="change-cell wide-only">
        {lastChange !== undefined && <LastChangeText change={lastChange} />}
      </Cell>
      {mayKeep && <ActionCell {...props} />}
    </Row>
  );
});

/** The cells with the checkbox and the move handle. */
function LeadingCells({ item, position, total, isSelected, isCurrent, isHeld, actions }: ValueRowProps) {
  const { value, label } = item;
  const tabIndex = isCurrent ? 0 : -1;
  return (
    <>
      <Cell className="select-cell">
        <input
          type="checkbox"
          checked={isSelected}
          tabIndex={tabIndex}
          aria-label={listTexts.select(label)}
          onClick={(event) => actions.toggle(value, event.shiftKey)}
          onChange={() => {}}
        />
      </Cell>
      <Cell className="handle-cell">
        {position !== undefined && (
          <button
            type="button"
            className="row-button handle"
            tabIndex={tabIndex}
            aria-label={listTexts.move(label, position, total)}
            aria-pressed={isHeld}
            title={listTexts.moveHint}
            onPointerDown={(event) => actions.grab(event, value)}
            onKeyDown={(event) => actions.onHandleKeyDown(event, value)}
            onBlur={() => actions.onHandleBlur(value)}
          >
            <GripVertical aria-hidden="true" size={16} />
          </button>
        )}
      </Cell>
    </>
  );
}

function ActionCell({ item: { value, label }, position, total, isCurrent, isMenuOpen, actions }: ValueRowProps) {
  const tabIndex = isCurrent ? 0 : -1;
  return (
    <Cell className="actions-cell">
      {position !== undefined && (
        <>
          <button
            type="button"
            className="row-button on-hover wide-only"
            tabIndex={tabIndex}
            aria-label={listTexts.moveUpValue(label)}
            aria-disabled={position === 1}
            title={listTexts.moveUp}
            onClick={() => actions.moveUp(value)}
          >
            <ChevronUp aria-hidden="true" size={16} />
          </button>
          <button
            type="button"
            className="row-button on-hover wide-only"
            tabIndex={tabIndex}
            aria-label={listTexts.moveDownValue(label)}
            aria-disabled={position === total}
            title={listTexts.moveDown}
            onClick={() => actions.moveDown(value)}
          >
            <ChevronDown aria-hidden="true" size={16} />
          </button>
        </>
      )}
      <button
        type="button"
        className="row-button"
        tabIndex={tabIndex}
        aria-label={listTexts.actionsFor(label)}
        aria-haspopup="menu"
        aria-expanded={isMenuOpen}
        onClick={(event) => actions.showMenu(value, event.currentTarget)}
      >
        <Ellipsis aria-hidden="true" size={16} />
      </button>
    </Cell>
  );
}

export interface LastChange {
  at: string;
  by: string;
  byName: string | null;
}

function LastChangeText({ change }: { change: LastChange }) {
  return (
    <>
      <bdi>
        <Moment at={change.at} isBrief />
      </bdi>{' '}
      · <bdi>{authorName(change)}</bdi>
    </>
  );
}

export interface RowActions extends LabelEditorActions {
  open: (value: string) => void;
  toggle: (value: string, isRange: boolean) => void;
  startRename: (value: string) => void;
  moveUp: (value: string) => void;
  moveDown: (value: string) => void;
  showMenu: (value: string, button: HTMLElement) => void;
  grab: (event: PointerEvent, value: string) => void;
  onHandleKeyDown: (event: KeyboardEvent, value: string) => void;
  onHandleBlur: (value: string) => void;
}

interface ValueRowProps {
  list: string;
  item: KeptItem;
  index: number;
  top: number;
  day: string;
  languages: readonly string[];
  lastChange: LastChange | undefined;
  /** Position among active values; undefined for retired values, and if the rows are not in list order. */
  position: number | undefined;
  total: number;
  mayKeep: boolean;
  isSelected: boolean;
  /** Whether Tab moves to this row. */
  isCurrent: boolean;
  isHeld: boolean;
  isMenuOpen: boolean;
  /** The new label being typed. */
  typed: string | undefined;
  fault: string | undefined;
  sameLabel: KeptItem | undefined;
  actions: RowActions;
}
