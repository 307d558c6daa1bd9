// What has been typed and not saved: leaving it asks first.
import { useLayoutEffect } from 'react';
import type { Place } from '../routes.ts';
import { createStore } from './store.ts';

interface Unsaved {
  /** Whether it is still there at that place, so that going there loses nothing. */
  staysAt: (place: Place | undefined) => boolean;
}

const unsaved = new Set<Unsaved>();
const nowhere = () => false;

/** `staysAt` has to be the same function in every render. */
export function useUnsaved(isDirty: boolean, staysAt: (place: Place | undefined) => boolean = nowhere): void {
  // Before any other event: what is saved must not ask when one leaves at once.
  useLayoutEffect(() => {
    if (!isDirty) return;
    const entry = { staysAt };
    unsaved.add(entry);
    return () => void unsaved.delete(entry);
  }, [isDirty, staysAt]);
}

export const wouldLose = (place: Place | undefined) => [...unsaved].some(({ staysAt }) => !staysAt(place));

/** Before everything that is open is left at once; then nothing asks again. */
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
  answer: (isDiscarded: boolean) => void;
}

/** The question that is open; panels/discard-dialog.tsx shows it. */
export const discardQuestion = createStore<DiscardQuestion | undefined>(undefined);

/** True when the person discards what they typed. */
export function askToDiscard(): Promise<boolean> {
  discardQuestion.get()?.answer(false);
  return new Promise((resolve) => {
    discardQuestion.set({
      answer(isDiscarded) {
        discardQuestion.set(undefined);
        resolve(isDiscarded);
      },
    });
  });
}
