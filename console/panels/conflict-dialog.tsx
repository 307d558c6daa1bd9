import { conflictQuestion } from '../data/use-save-list.ts';
import { Button } from '../parts/button.tsx';
import { Actions, Dialog } from '../parts/dialog.tsx';
import { conflictTexts } from '../texts/conflict.ts';
import { shared } from '../texts/shared.ts';

/** Somebody else changed the same values meanwhile. */
export function ConflictDialog() {
  const question = conflictQuestion.use();
  if (question === undefined) return null;
  return (
    <Dialog title={conflictTexts.title} isWide onClose={() => question.answer(undefined)}>
      <Actions>
        <Button onPress={() => question.answer(undefined)}>{shared.keepEditing}</Button>
        <Button look="primary" onPress={() => question.answer({})}>
          {conflictTexts.saveMine}
        </Button>
      </Actions>
    </Dialog>
  );
}
