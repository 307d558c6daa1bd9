// Small components that every page uses.
import { type InputHTMLAttributes, type ReactNode, useEffect, useId, useRef } from 'react';
import { FrontdeskError } from '../../client/src/index.ts';

interface ErrorNoteProps {
  error: unknown;
  /** The title where fields are wrong, in place of the service's own title and text. */
  wrong?: string;
  onClose?: () => void;
}

export function ErrorNote({ error, wrong, onClose }: ErrorNoteProps) {
  if (error === undefined) return null;
  const known = error instanceof FrontdeskError ? error : undefined;
  const isOffline = known?.status === 0;
  const isWrong = wrong !== undefined && known !== undefined && known.errors.length > 0;
  return (
    <div className="note bad" role="alert">
      <div>
        <strong>{isWrong ? wrong : isOffline ? 'No connection' : (known?.title ?? 'Something went wrong')}</strong>
        <p>
          {isOffline
            ? 'Frontdesk cannot be reached. What you typed is still here: try again in a moment.'
            : isWrong
              ? 'Fix the following and try again. Nothing was changed.'
              : (known?.detail ?? 'Load the page again. If it happens again, tell the operator of Frontdesk.')}
          {known?.retryAfter !== undefined && ` Try again in ${known.retryAfter} seconds.`}
        </p>
        {known !== undefined && known.errors.length > 0 && (
          <ul>
            {known.errors.slice(0, 50).map(({ field, message, line }) => (
              <li key={`${line} ${field} ${message}`}>
                {line !== undefined && `Line ${line}: `}
                {field !== '' && <code>{field}</code>} {message}
              </li>
            ))}
            {known.errors.length > 50 && <li>and more</li>}
          </ul>
        )}
        {known !== undefined && known.requestId !== '' && (
          <p className="quiet">
            Request <code>{known.requestId}</code> · <a href={`problems/${known.code}`}>about this problem</a>
          </p>
        )}
      </div>
      {onClose !== undefined && (
        <button type="button" className="plain" onClick={onClose} aria-label="Close this message">
          ✕
        </button>
      )}
    </div>
  );
}

interface DialogProps {
  title: string;
  children: ReactNode;
  onClose: () => void;
  /** Cannot be closed with Escape. */
  isFirm?: boolean;
  /** Nothing of the page can be read behind it. */
  hidesPage?: boolean;
}

/** The browser's own dialog, which keeps the focus inside. */
export function Dialog({ title, children, onClose, isFirm = false, hidesPage = false }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const opener = document.activeElement;
    ref.current?.showModal();
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      className={hidesPage ? 'hides-page' : undefined}
      aria-labelledby={id}
      onKeyDown={(event) => isFirm && event.key === 'Escape' && event.preventDefault()}
      onCancel={(event) => {
        event.preventDefault();
        if (!isFirm) onClose();
      }}
      // Browsers close it when Escape is pressed twice, whatever onCancel does.
      onClose={() => (isFirm ? ref.current?.showModal() : onClose())}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

interface FieldProps {
  label: string;
  children: (id: string, describedBy: string | undefined) => ReactNode;
  hint?: string;
  fault?: string | undefined;
}

export function Field({ label, children, hint, fault }: FieldProps) {
  const id = useId();
  const note = fault ?? hint;
  const noteId = note === undefined ? undefined : `${id}-note`;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children(id, noteId)}
      {note !== undefined && (
        <p id={noteId} className={fault === undefined ? 'quiet' : 'fault'}>
          {note}
        </p>
      )}
    </div>
  );
}

type TextFieldProps = Omit<FieldProps, 'children'> &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'id'> & { onChange: (text: string) => void };

export function TextField({ label, hint, fault, onChange, ...input }: TextFieldProps) {
  return (
    <Field label={label} fault={fault} {...(hint !== undefined && { hint })}>
      {(id, note) => (
        <input {...input} id={id} aria-describedby={note} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
}

/** What the service says is wrong with a field. */
export function faultOf(error: unknown, field: string): string | undefined {
  if (!(error instanceof FrontdeskError)) return undefined;
  return error.errors.find((each) => each.field === field || each.field.startsWith(`${field}.`))?.message;
}

export function Waiting({ what }: { what: string }) {
  return (
    <p className="waiting" role="status">
      <progress aria-label={what} /> {what}
    </p>
  );
}

/** Copies a text, and says so for a moment. */
export function CopyButton({ text, children }: { text: string; children: ReactNode }) {
  const ref = useRef<HTMLButtonElement>(null);
  return (
    <button
      type="button"
      className="plain"
      ref={ref}
      onClick={async () => {
        await navigator.clipboard.writeText(text);
        const button = ref.current;
        if (button === null) return;
        button.dataset.done = 'true';
        setTimeout(() => delete button.dataset.done, 1500);
      }}
    >
      {children}
    </button>
  );
}

/** A date is the same in every time zone; a moment is shown in the reader's own. */
export const day = (text: string) =>
  new Date(text).toLocaleDateString(undefined, {
    dateStyle: 'medium',
    ...(/^\d{4}-\d\d-\d\d$/.test(text) && { timeZone: 'UTC' }),
  });
export const moment = (text: string) =>
  new Date(text).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
