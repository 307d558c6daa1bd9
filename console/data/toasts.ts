// Messages at the edge of the window: what was done, with a way to undo it, and what failed.
import { UNSTABLE_ToastQueue as ToastQueue } from 'react-aria-components/Toast';

export type ToastContent =
  | { kind: 'done'; text: string; undo?: (() => Promise<unknown>) | undefined }
  | { kind: 'info'; text: string }
  | { kind: 'error'; error: unknown; title?: string | undefined; retry?: (() => unknown) | undefined };

export const toasts = new ToastQueue<ToastContent>({ maxVisibleToasts: 4 });

/** Long enough to read and to reach Undo; the time stands still while the pointer or the focus is on it. */
const shownMs = 10_000;

export const showDone = (text: string, undo?: () => Promise<unknown>) =>
  toasts.add({ kind: 'done', text, undo }, { timeout: shownMs });

export const showInfo = (text: string) => toasts.add({ kind: 'info', text }, { timeout: shownMs });

/** Stays until it is closed. The same error is shown once. `title` says what could not be done. */
export function showError(error: unknown, retry?: () => unknown, title?: string): string {
  for (const { key, content } of toasts.visibleToasts) {
    if (content.kind === 'error' && content.title === title && sameError(content.error, error)) toasts.close(key);
  }
  return toasts.add({ kind: 'error', error, retry, title });
}

const sameError = (one: unknown, other: unknown) =>
  one instanceof Error && other instanceof Error && one.message === other.message;
