import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { useEffect } from 'react';
import { Text } from 'react-aria-components/Text';
import {
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components/Toast';
import { FrontdeskError } from '../../client/src/index.ts';
import { Button } from '../parts/button.tsx';
import { shared } from '../parts/texts.ts';
import { currentPage } from './console-context.ts';
import { ErrorBody } from './error-note.tsx';
import { shellTexts } from './texts.ts';
import { type ToastContent as Content, toasts, undoNewest } from './toasts.ts';

const icons = { done: CircleCheck, info: Info, error: CircleAlert };

/** Shows the toasts. F6 moves the focus to them; Ctrl+Z or ⌘Z undoes the newest change on this page that they confirm. */
export function Toasts() {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // While a dialog is open, the key undoes nothing on the page. The side panel of a value does not count as a dialog.
      const isAsking = document.querySelector('.overlay:not(.beside)') !== null;
      if (isUndoKey(event) && !isAsking && undoNewest(currentPage(), typedAt(event.target))) event.preventDefault();
    };
    const onInput = ({ target, timeStamp }: Event) => {
      if (target instanceof Element) lastInputs.set(target, timeStamp);
    };
    document.addEventListener('keydown', onKeyDown);
    document.addEventListener('input', onInput, true);
    return () => {
      document.removeEventListener('keydown', onKeyDown);
      document.removeEventListener('input', onInput, true);
    };
  }, []);
  return (
    <ToastRegion queue={toasts} className="toasts">
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

/**
 * When the user last typed into each text field. If they have typed since the newest change, the undo key is left to the
 * browser, which undoes the typing.
 */
const lastInputs = new WeakMap<Element, number>();

function isUndoKey({ key, ctrlKey, metaKey, shiftKey, altKey, repeat, defaultPrevented }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'z' && ctrlKey !== metaKey && !shiftKey && !altKey && !repeat && !defaultPrevented;
}

/** When the user last typed into this text field; 0 for anything else. */
function typedAt(target: EventTarget | null): number {
  const field = target instanceof Element ? target.closest(textFields) : null;
  return field === null ? 0 : (lastInputs.get(field) ?? 0);
}

const textFields =
  'input:not([type=checkbox], [type=radio], [type=button], [type=file]), textarea, select, [contenteditable]';

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
      ? ([shellTexts.undo, content.undo?.run] as const)
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
