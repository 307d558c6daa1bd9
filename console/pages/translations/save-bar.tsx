// What has been typed and not saved, in numbers, with what can be done about it.
import type { CellPlace } from './translation-grid.ts';
import { Button } from '../../parts/button.tsx';
import { shared } from '../../parts/texts.ts';
import { translationTexts } from './texts.ts';

interface SaveBarProps {
  count: number;
  conflicts: readonly CellPlace[];
  faults: readonly CellPlace[];
  isSaving: boolean;
  onShow: (place: CellPlace) => void;
  onDiscard: () => void;
  onSave: () => void;
}

export function SaveBar({ count, conflicts, faults, isSaving, onShow, onDiscard, onSave }: SaveBarProps) {
  const problems: [string, CellPlace | undefined][] = [
    [translationTexts.conflicts(conflicts.length), conflicts[0]],
    [translationTexts.faults(faults.length), faults[0]],
  ];
  return (
    <div className="save-bar">
      <div role="status" className="save-state">
        {count > 0 && <strong>{translationTexts.unsaved(count)}</strong>}
        {problems.map(
          ([text, place]) =>
            place !== undefined && (
              <span key={text} className="row">
                <span className="fault">{text}</span>
                <Button look="plain" onPress={() => onShow(place)}>
                  {translationTexts.show}
                </Button>
              </span>
            ),
        )}
      </div>
      {count > 0 && (
        <div className="row">
          <Button onPress={onDiscard} isDisabled={isSaving}>
            {translationTexts.discard}
          </Button>
          <Button look="primary" id="save-translations" onPress={onSave} isDisabled={isSaving}>
            {isSaving ? shared.saving : translationTexts.save}
          </Button>
        </div>
      )}
    </div>
  );
}
