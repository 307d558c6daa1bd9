// Keeps track of unsaved input, and asks before the user leaves it.
import { useLayoutEffect } from 'react';
import { Button } from '../parts/button.tsx';
import { Actions, Dialog } from '../parts/dialog.tsx';
import type { Place } from '../routes.ts';
import { createStore } from './store.ts';
import { shellTexts } from './texts.ts';

interface Unsaved {
  /** Whether the input is kept when the user goes to that page. */
  staysAt: (place: Place | undefined) => boolean;
}

const unsaved = new Set<Unsaved>();
const nowhere = () => false;

/** `staysAt` must be the same function in every render. */
export function useUnsaved(isDirty: boolean, staysAt: (place: Place | undefined) => boolean = nowhere): void {
  // A layout effect runs early enough that leaving right after saving does not ask.
  useLayoutEffect(() => {
    if (!isDirty) return;
    const entry = { staysAt };
    unsaved.add(entry);
    return () => void unsaved.delete(entry);
  }, [isDirty, staysAt]);
}

export const wouldLose = (place: Place | undefined) => [...unsaved].some(({ staysAt }) => !staysAt(place));

/** Asks once whether to discard all unsaved input. If the user agrees, nothing asks again. */
export async function mayLeave(): Promise<boolean> {
  if (unsaved.size === 0) return true;
  if (!(await askToDiscard())) return false;
  unsaved.clear();
  return true;
}

globalThis.addEventListener?.('beforeunload', (event) => {
  if (unsaved.size > 0) event.preventDefault();
});

interface DiscardQuestion {
  text: string;
  answer: (isDiscarded: boolean) => void;
}

/** The open question, shown by DiscardDialog. */
const discardQuestion = createStore<DiscardQuestion | undefined>(undefined);

/** True if the user discards the input. */
export function askToDiscard(text: string = shellTexts.discardText): Promise<boolean> {
  discardQuestion.get()?.answer(false);
  return new Promise((resolve) => {
    discardQuestion.set({
      text,
      answer(isDiscarded) {
        discardQuestion.set(undefined);
        resolve(isDiscarded);
      },
    });
  });
}

/** Returns a function that closes a dialog. If there is input, it first asks whether to discard it. */
export function useClosing(isDirty: boolean, onClose: () => void, text?: string): () => void {
  useUnsaved(isDirty);
  const close = async () => {
    if (!isDirty || (await askToDiscard(text))) onClose();
  };
  return () => void close();
}

/** Asks before unsaved input is lost. */
export function DiscardDialog() {
  const question = discardQuestion.use();
  if (question === undefined) return null;
  return (
    <Dialog title={shellTexts.discardTitle} isAlert onClose={() => question.answer(false)}>
      <p>{question.text}</p>
      <Actions>
        <Button look="danger" onPress={() => question.answer(true)}>
          {shellTexts.discard}
        </Button>
        <Button look="primary" autoFocus onPress={() => question.answer(false)}>
          {shellTexts.keepEditing}
        </Button>
      </Actions>
    </Dialog>
  );
}
