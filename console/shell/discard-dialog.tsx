import { discardQuestion } from './unsaved.ts';
import { Button } from '../parts/button.tsx';
import { Actions, Dialog } from '../parts/dialog.tsx';
import { shared } from '../parts/texts.ts';

/** Asked before something that was typed is lost. */
export function DiscardDialog() {
  const question = discardQuestion.use();
  if (question === undefined) return null;
  return (
    <Dialog title={shared.discardTitle} isAlert onClose={() => question.answer(false)}>
      <p>{shared.discardText}</p>
      <Actions>
        <Button look="danger" onPress={() => question.answer(true)}>
          {shared.discard}
        </Button>
        <Button look="primary" autoFocus onPress={() => question.answer(false)}>
          {shared.keepEditing}
        </Button>
      </Actions>
    </Dialog>
  );
}
