// Edits a label in its row. The page stores the typed label, so it is kept while the row is out of view.
import { Check, X } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { LabelTaken } from '../../../lists/items/status-badge.tsx';
import { itemTexts } from '../../../lists/items/texts.ts';
import type { KeptItem } from '../../../shell/api.ts';
import { listTexts } from '../texts.ts';

export interface LabelEditorActions {
  type: (value: string, text: string) => void;
  /** `isConfirmed` saves the label even if another item has it. */
  saveRename: (value: string, isConfirmed?: boolean) => void;
  cancelRename: (value: string) => void;
}

interface LabelEditorProps {
  list: string;
  value: string;
  label: string;
  typed: string;
  fault: string | undefined;
  /** Another item that has this label. */
  sameLabel: KeptItem | undefined;
  actions: LabelEditorActions;
}

const maxCharacters = 200;

export function LabelEditor({ list, value, label, typed, fault, sameLabel, actions }: LabelEditorProps) {
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  // Takes the focus only when renaming begins, not when the row comes back into view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the initial label matters
  useEffect(() => {
    if (typed !== label) return;
    input.current?.focus();
    input.current?.select();
  }, []);
  return (
    <div className="label-editor">
      <input
        ref={input}
        dir="auto"
        value={typed}
        maxLength={maxCharacters}
        aria-label={listTexts.newLabel(label)}
        aria-invalid={fault !== undefined}
        {...((fault !== undefined || sameLabel !== undefined) && { 'aria-describedby': id })}
        onChange={(event) => actions.type(value, event.target.value)}
        onKeyDown={(event) => {
          // The grid's shortcuts do not apply here. While a character is being composed, Enter does not save.
          event.stopPropagation();
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) actions.saveRename(value);
          if (event.key === 'Escape') actions.cancelRename(value);
        }}
      />
      <button
        type="button"
        className="row-button"
        aria-label={listTexts.saveLabel}
        onClick={() => actions.saveRename(value)}
      >
        <Check aria-hidden="true" size={16} />
      </button>
      <button
        type="button"
        className="row-button"
        aria-label={listTexts.cancelRename}
        onClick={() => actions.cancelRename(value)}
      >
        <X aria-hidden="true" size={16} />
      </button>
      {fault !== undefined && (
        <span id={id} className="label-fault" role="alert">
          {fault}
        </span>
      )}
      {fault === undefined && sameLabel !== undefined && (
        <span id={id} className="label-fault label-warning" role="alert">
          <LabelTaken
            list={list}
            item={sameLabel}
            confirmText={itemTexts.saveAnyway}
            onConfirm={() => actions.saveRename(value, true)}
          />
        </span>
      )}
    </div>
  );
}
