// Toasts, which say what was done (with Undo) and what failed.
import { UNSTABLE_ToastQueue as ToastQueue } from 'react-aria-components/Toast';

interface Undo {
  /** The page of the change (see `pageKey`). The undo key undoes the change only on this page. */
  page: string;
  /** When the user made the change (`performance.now()`); by default, when the toast is shown. */
  at?: number;
  run: () => Promise<unknown>;
}

export type ToastContent =
  | { kind: 'done'; text: string; undo?: Required<Undo> | undefined }
  | { kind: 'info'; text: string }
  | { kind: 'error'; error: unknown; title?: string | undefined; retry?: (() => unknown) | undefined };

const maxVisible = 4;
/** Maximum number of toasts that are not errors. More would cover a dialog's buttons. */
const maxDone = 2;
export const toasts = new ToastQueue<ToastContent>({ maxVisibleToasts: maxVisible });

/** Long enough to read and to reach Undo; paused while the pointer or the focus is on the toast. */
const shownMs = 10_000;

export const showDone = (text: string, undo?: Undo) =>
  add({ kind: 'done', text, undo: undo && { at: performance.now(), ...undo } }, shownMs);

export const showInfo = (text: string) => add({ kind: 'info', text }, shownMs);

/**
 * If there is no room, closes the oldest toast that is not an error. Otherwise the queue would hide that toast and show
 * it again minutes later. Errors may be shown again, since they stay until the user closes them.
 */
function add(content: ToastContent, timeout?: number): string {
  const { visibleToasts } = toasts;
  const done = visibleToasts.filter((toast) => toast.content.kind !== 'error');
  const isFull = visibleToasts.length >= maxVisible || (content.kind !== 'error' && done.length >= maxDone);
  const oldest = done.at(-1);
  if (isFull && oldest !== undefined) toasts.close(oldest.key);
  return toasts.add(content, timeout === undefined ? {} : { timeout });
}

/**
 * Undoes the newest change on this page that a visible toast with Undo confirms. Returns false if there is none, or if
 * the user has typed since: `typedAt` is when they last typed into the field with the focus.
 */
export function undoNewest(page: string, typedAt: number): boolean {
  for (const { key, content } of toasts.visibleToasts) {
    if (content.kind !== 'done' || content.undo?.page !== page) continue;
    if (content.undo.at < typedAt) return false;
    toasts.close(key);
    void content.undo.run();
    return true;
  }
  return false;
}

/** Shows an error until it is closed. The same error is shown only once. `title` says what failed. */
export function showError(error: unknown, retry?: () => unknown, title?: string): string {
  for (const { key, content } of toasts.visibleToasts) {
    if (content.kind === 'error' && content.title === title && sameError(content.error, error)) toasts.close(key);
  }
  return add({ kind: 'error', error, retry, title });
}

const sameError = (one: unknown, other: unknown) =>
  one instanceof Error && other instanceof Error && one.message === other.message;
