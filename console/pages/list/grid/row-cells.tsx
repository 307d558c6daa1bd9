// The cells of a row that change its value.
import { ChevronDown, ChevronUp, Ellipsis, GripVertical } from 'lucide-react';
import { listTexts } from '../texts.ts';
import { Cell } from './grid-parts.tsx';
import type { ValueRowProps } from './row-props.ts';

/** The box that selects it, and the handle that moves it. */
export function LeadingCells({ item, position, total, isSelected, isCurrent, isHeld, actions }: ValueRowProps) {
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

export function ActionCell({ item: { value, label }, position, total, isCurrent, isMenuOpen, actions }: ValueRowProps) {
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
