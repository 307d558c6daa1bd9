// Toasts: what was done, with Undo, and what failed.

import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { Text } from 'react-aria-components/Text';
import {
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components/Toast';
import { FrontdeskError } from '../../client/src/index.ts';
import { Button } from '../parts/button.tsx';
import { shared } from '../parts/texts.ts';
import { ErrorBody } from './error-note.tsx';
import { shellTexts } from './texts.ts';

type Content =
  | { kind: 'done'; text: string; undo?: (() => Promise<unknown>) | undefined }
  | { kind: 'info'; text: string }
  | { kind: 'error'; error: unknown; title?: string | undefined; retry?: (() => unknown) | undefined };

const maxVisible = 4;
/** More toasts would cover a dialog's buttons. */
const maxDone = 2;
export const toasts = new ToastQueue<Content>({ maxVisibleToasts: maxVisible });

/** Long enough to read and to reach Undo; paused while the pointer or the focus is on the toast. */
const shownMs = 10_000;

export const showDone = (text: string, undo?: () => Promise<unknown>) => add({ kind: 'done', text, undo }, shownMs);

export const showInfo = (text: string) => add({ kind: 'info', text }, shownMs);

/**
 * Drops the oldest toast if there is no room: the queue would otherwise show it again minutes later. Errors do come
 * back, since they stay until read.
 */
function add(content: Content, timeout?: number): string {
  const { visibleToasts } = toasts;
  const done = visibleToasts.filter((toast) => toast.content.kind !== 'error');
  const isFull = visibleToasts.length >= maxVisible || (content.kind !== 'error' && done.length >= maxDone);
  const oldest = done.at(-1);
  if (isFull && oldest !== undefined) toasts.close(oldest.key);
  return toasts.add(content, timeout === undefined ? {} : { timeout });
}

/** Stays until it is closed. The same error is shown once. `title` says what failed. */
export function showError(error: unknown, retry?: () => unknown, title?: string): string {
  for (const { key, content } of toasts.visibleToasts) {
    if (content.kind === 'error' && content.title === title && sameError(content.error, error)) toasts.close(key);
  }
  return add({ kind: 'error', error, retry, title });
}

const sameError = (one: unknown, other: unknown) =>
  one instanceof Error && other instanceof Error && one.message === other.message;

const icons = { done: CircleCheck, info: Info, error: CircleAlert };

/** Shows the toasts. F6 moves the focus to them. */
export function Toasts() {
  return (
    <ToastRegion queue={toasts} className="toasts" aria-label={shellTexts.notifications}>
      {({ toast }) => {
        const Icon = icons[toast.content.kind];
        return (
          <Toast toast={toast} className={`toast ${toast.content.kind}`}>
            <Icon aria-hidden="true" size={18} />
            <ToastContent className="toast-content">
              <ToastBody content={toast.content} />
            </ToastContent>
            <ToastAction content={toast.content} onUsed={() => toasts.close(toast.key)} />
            <Button slot="close" look="icon" aria-label={shared.close}>
              <X aria-hidden="true" size={16} />
            </Button>
          </Toast>
        );
      }}
    </ToastRegion>
  );
}

function ToastBody({ content }: { content: Content }) {
  // The slot makes this the toast's accessible name.
  return (
    <Text slot="title" elementType="div">
      {content.kind === 'error' ? (
        <ErrorBody error={content.error} title={content.title} />
      ) : (
        <span dir="auto">{content.text}</span>
      )}
    </Text>
  );
}

/** Statuses for which sending the same request again is useless. */
const refusals = new Set([400, 403, 404, 413, 422]);
const canRetry = (error: unknown) => !(error instanceof FrontdeskError && refusals.has(error.status));

function ToastAction({ content, onUsed }: { content: Content; onUsed: () => void }) {
  const action =
    content.kind === 'done'
      ? ([shellTexts.undo, content.undo] as const)
      : content.kind === 'error'
        ? ([shellTexts.retry, canRetry(content.error) ? content.retry : undefined] as const)
        : ([undefined, undefined] as const);
  const [name, act] = action;
  if (act === undefined) return null;
  return (
    <Button
      look="plain"
      onPress={() => {
        onUsed();
        void act();
      }}
    >
      {name}
    </Button>
  );
}
