// A label that is renamed in its row.
import { useEffect, useRef, useState } from 'react';
import type { KeptItem } from '../data/admin.ts';
import { ErrorNote } from './parts.tsx';

interface LabelProps {
  /** From the version it was begun at. */
  onRename: (item: KeptItem, label: string, from: number) => Promise<boolean>;
  item: KeptItem;
  version: number;
  onEditing: (value: string | undefined) => void;
}

/** A button that becomes a text field. What cannot be saved stays in the field. */
export function Label({ item, version, onRename, onEditing }: LabelProps) {
  const [text, setText] = useState<string>();
  const begun = useRef({ label: '', version: 0 });
  const [error, setError] = useState<unknown>();
  const [isSaving, setSaving] = useState(false);
  const button = useRef<HTMLButtonElement>(null);

  // The focus returns to the button that the field replaced.
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && text === undefined) button.current?.focus();
    wasOpen.current = text !== undefined;
  }, [text]);

  function leave(): void {
    setText(undefined);
    setError(undefined);
    onEditing(undefined);
  }

  async function save(): Promise<void> {
    if (text === undefined || isSaving) return;
    if (text.trim() === begun.current.label) return leave();
    setSaving(true);
    setError(undefined);
    try {
      if (await onRename(item, text.trim(), begun.current.version)) leave();
    } catch (reason) {
      setError(reason);
    } finally {
      setSaving(false);
    }
  }

  if (text === undefined) {
    return (
      <button
        type="button"
        className="label"
        dir="auto"
        ref={button}
        title="Rename"
        aria-label={`Rename ${item.label}`}
        onClick={() => {
          begun.current = { label: item.label, version };
          setText(item.label);
          onEditing(item.value);
        }}
      >
        {item.label}
      </button>
    );
  }
  return (
    <form
      className="label"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <input
        // biome-ignore lint/a11y/noAutofocus: it takes the place of the button that was pressed
        autoFocus
        dir="auto"
        value={text}
        aria-label={`New label for ${item.value}`}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && leave()}
      />
      <button type="submit" disabled={isSaving}>
        Save
      </button>
      <button type="button" onClick={leave}>
        Cancel
      </button>
      <ErrorNote error={error} />
    </form>
  );
}
