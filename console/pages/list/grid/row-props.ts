import type { KeyboardEvent, PointerEvent } from 'react';
import type { KeptItem } from '../../../../src/lookup/lookup-admin.schema.ts';
import type { LabelEditorActions } from './label-editor.tsx';
import type { LastChange } from './row-parts.tsx';

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
  /** Of all active values; undefined where the list is sorted otherwise or the value is retired. */
  position: number | undefined;
  total: number;
  mayKeep: boolean;
  isSelected: boolean;
  /** Whether it is the row that Tab leads to. */
  isCurrent: boolean;
  isHeld: boolean;
  isMenuOpen: boolean;
  /** What is typed as its new label. */
  typed: string | undefined;
  fault: string | undefined;
  actions: RowActions;
}
