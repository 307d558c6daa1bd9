// A form in a dialog: shows why something cannot be saved, and keeps what was typed.
import { type ReactNode, useState } from 'react';
import { Dialog, ErrorNote, TextField } from '../parts/parts.tsx';

interface FormDialogProps {
  title: string;
  action: string;
  children: (error: unknown) => ReactNode;
  onClose: () => void;
  /** False when the person decided against it. What it throws is shown. */
  onSave: () => Promise<boolean>;
}

export function FormDialog({ title, action, children, onClose, onSave }: FormDialogProps) {
  const [error, setError] = useState<unknown>();
  const [isSaving, setSaving] = useState(false);
  return (
    // Not closed while it is being saved: nobody would see the result.
    <Dialog title={title} onClose={onClose} isFirm={isSaving}>
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          setSaving(true);
          setError(undefined);
          try {
            if (await onSave()) onClose();
          } catch (reason) {
            setError(reason);
          } finally {
            setSaving(false);
          }
        }}
      >
        <ErrorNote error={error} wrong="Please check the form" />
        {children(error)}
        <p className="row">
          <button type="submit" className="primary" disabled={isSaving}>
            {isSaving ? 'Saving…' : action}
          </button>
          <button type="button" onClick={onClose} disabled={isSaving}>
            Cancel
          </button>
        </p>
      </form>
    </Dialog>
  );
}

interface ReasonFieldProps {
  reason: string;
  onChange: (reason: string) => void;
  fault?: string | undefined;
}

export function ReasonField({ reason, onChange, fault }: ReasonFieldProps) {
  return (
    <TextField
      label="Reason (optional)"
      hint="Shown in the history"
      fault={fault}
      dir="auto"
      value={reason}
      onChange={onChange}
    />
  );
}

/** `Account manager` as a value: `ACCOUNT_MANAGER`. */
export function valueFrom(label: string): string {
  return label
    .normalize('NFKD')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replaceAll(/^[_0-9]+|_+$/g, '')
    .slice(0, 64);
}
