// What a row of the grid is given, and its cell for the last change.
import type { KeyboardEvent, PointerEvent } from 'react';
import { authorName } from '../../../lists/actor.ts';
import { Moment } from '../../../parts/format.tsx';
import type { KeptItem } from '../../../shell/api.ts';
import type { LabelEditorActions } from './label-editor.tsx';

export interface LastChange {
  at: string;
  by: string;
  byName: string | null;
}

export function LastChangeText({ change }: { change: LastChange }) {
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

export interface ValueRowProps {
  item: KeptItem;
  index: number;
  top: number;
  day: string;
  languages: readonly string[];
  lastChange: LastChange | undefined;
  /** Position among active values; undefined for retired values or if the list is not in list order. */
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
  actions: RowActions;
}
