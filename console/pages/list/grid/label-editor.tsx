// Edits a label in its row. The page stores the typed label, also while the row is out of view.
import { Check, X } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { listTexts } from '../texts.ts';

export interface LabelEditorActions {
  type: (value: string, text: string) => void;
  saveRename: (value: string) => void;
  cancelRename: (value: string) => void;
}

interface LabelEditorProps {
  value: string;
  label: string;
  typed: string;
  fault: string | undefined;
  actions: LabelEditorActions;
}

const maxCharacters = 200;

export function LabelEditor({ value, label, typed, fault, actions }: LabelEditorProps) {
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
        {...(fault !== undefined && { 'aria-describedby': id })}
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
    </div>
  );
}
