// Messages at the edge of the window: what was done, with a way to undo it, and what failed.
import { UNSTABLE_ToastQueue as ToastQueue } from 'react-aria-components/Toast';

export type ToastContent =
  | { kind: 'done'; text: string; undo?: (() => Promise<unknown>) | undefined }
  | { kind: 'info'; text: string }
  | { kind: 'error'; error: unknown; title?: string | undefined; retry?: (() => unknown) | undefined };

const mostVisible = 4;
/** More would cover the buttons of a dialog. */
const mostDone = 2;
export const toasts = new ToastQueue<ToastContent>({ maxVisibleToasts: mostVisible });

/** Long enough to read and to reach Undo; the time stands still while the pointer or the focus is on it. */
const shownMs = 10_000;

export const showDone = (text: string, undo?: () => Promise<unknown>) => add({ kind: 'done', text, undo }, shownMs);

export const showInfo = (text: string) => add({ kind: 'info', text }, shownMs);

/**
 * Where there is no place for another one, the oldest goes for good: the queue would show it again minutes later, as if it
 * had just been done. Errors do come back, since they stay until they are read.
 */
function add(content: ToastContent, timeout?: number): string {
  const { visibleToasts } = toasts;
  const done = visibleToasts.filter((toast) => toast.content.kind !== 'error');
  const isFull = visibleToasts.length >= mostVisible || (content.kind !== 'error' && done.length >= mostDone);
  const oldest = done.at(-1);
  if (isFull && oldest !== undefined) toasts.close(oldest.key);
  return toasts.add(content, timeout === undefined ? {} : { timeout });
}

/** Stays until it is closed. The same error is shown once. `title` says what could not be done. */
export function showError(error: unknown, retry?: () => unknown, title?: string): string {
  for (const { key, content } of toasts.visibleToasts) {
    if (content.kind === 'error' && content.title === title && sameError(content.error, error)) toasts.close(key);
  }
  return add({ kind: 'error', error, retry, title });
}

const sameError = (one: unknown, other: unknown) =>
  one instanceof Error && other instanceof Error && one.message === other.message;
