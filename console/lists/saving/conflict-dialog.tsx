// Asks what to save when somebody else has changed the same value.
import { lazy, Suspense } from 'react';
import { Dialog } from '../../parts/dialog.tsx';
import { Loading } from '../../shell/loading.tsx';
import { sharedListTexts } from '../texts.ts';
import { conflictQuestion } from './use-save-list.ts';

// Loaded when needed: it includes the history's sentences.
const ConflictChoices = lazy(async () => ({ default: (await import('./conflict-choices.tsx')).ConflictChoices }));

export function ConflictDialog() {
  const question = conflictQuestion.use();
  if (question === undefined) return null;
  const { conflict, answer } = question;
  return (
    <Dialog title={sharedListTexts.conflictTitle} isWide onClose={() => answer(undefined)}>
      <Suspense fallback={<Loading lines={3} />}>
        <ConflictChoices conflict={conflict} answer={answer} />
      </Suspense>
    </Dialog>
  );
}
