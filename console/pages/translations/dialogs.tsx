// What is asked before a block is pasted that is too large, and before changes are saved that are too many.
import { largestSaveBytes } from './translation-document.ts';
import type { PastePlan } from './translation-paste.ts';
import { Button } from '../../parts/button.tsx';
import { Actions, Dialog } from '../../parts/dialog.tsx';
import { browserLocale } from '../../parts/catalogue.ts';
import { shared } from '../../parts/texts.ts';
import { translationTexts } from './texts.ts';

interface PasteDialogProps {
  plan: PastePlan;
  onPaste: () => void;
  onClose: () => void;
}

export function PasteDialog({ plan, onPaste, onClose }: PasteDialogProps) {
  const { texts, outside, missingRows, missingLanguages } = plan;
  return (
    <Dialog title={translationTexts.outsideTitle} onClose={onClose} isAlert>
      <p>{translationTexts.outside(outside)}</p>
      {missingRows > 0 && <p>{translationTexts.missingRows(missingRows)}</p>}
      {missingLanguages > 0 && <p>{translationTexts.missingLanguages(missingLanguages)}</p>}
      <Actions>
        <Button onPress={onClose}>{shared.cancel}</Button>
        {texts.length > 0 && (
          <Button look="primary" onPress={onPaste}>
            {translationTexts.pasteFitting(texts.length)}
          </Button>
        )}
      </Actions>
    </Dialog>
  );
}

const sizes = new Intl.NumberFormat(browserLocale, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 });
const inWords = (bytes: number) => sizes.format(Math.ceil(bytes / 1024));

interface TooLargeDialogProps {
  bytes: number;
  fitting: number;
  onSave: () => void;
  onClose: () => void;
}

export function TooLargeDialog({ bytes, fitting, onSave, onClose }: TooLargeDialogProps) {
  return (
    <Dialog title={translationTexts.tooLargeTitle} onClose={onClose} isAlert>
      <p>{translationTexts.tooLarge(inWords(bytes), inWords(largestSaveBytes))}</p>
      <Actions>
        <Button onPress={onClose}>{shared.cancel}</Button>
        <Button look="primary" onPress={onSave}>
          {translationTexts.saveFitting(fitting)}
        </Button>
      </Actions>
    </Dialog>
  );
}
