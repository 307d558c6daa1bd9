// Somebody else changed the same value meanwhile.
import { lazy, Suspense } from 'react';
import { conflictQuestion } from './use-save-list.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Loading } from '../../shell/loading.tsx';
import { conflictTexts as texts } from './texts.ts';

// Not with the first page: it brings the sentences of the history along.
const ConflictChoices = lazy(async () => ({ default: (await import('./conflict-choices.tsx')).ConflictChoices }));

export function ConflictDialog() {
  const question = conflictQuestion.use();
  if (question === undefined) return null;
  const { conflict, answer } = question;
  return (
    <Dialog title={texts.title} isWide onClose={() => answer(undefined)}>
      <Suspense fallback={<Loading lines={3} />}>
        <ConflictChoices conflict={conflict} answer={answer} />
      </Suspense>
    </Dialog>
  );
}
