import type { Conflict } from '../data/use-list.ts';
import { Dialog, moment } from '../parts/parts.tsx';
import { StepSummary } from './history-dialog.tsx';

interface ConflictDialogProps {
  conflict: Conflict;
  nameOf: (value: string) => string;
  onResolve: (isMine: boolean) => void;
}

export function ConflictDialog({ conflict: { theirs, leftOut }, nameOf, onResolve }: ConflictDialogProps) {
  return (
    <Dialog title="This list changed while you were editing" onClose={() => onResolve(false)}>
      <p>Your change is not saved yet. Changed since you opened the list:</p>
      <ul className="steps">
        {theirs.map((step) => (
          <li key={step.version}>
            <p className="quiet">
              {step.by}, {moment(step.at)}
            </p>
            <StepSummary step={step} nameOf={nameOf} />
          </li>
        ))}
        {leftOut > 0 && <li className="quiet">and {leftOut} older versions: see the history</li>}
      </ul>
      <p className="row">
        <button type="button" className="primary" onClick={() => onResolve(true)}>
          Save my change
        </button>
        <button type="button" onClick={() => onResolve(false)}>
          Keep editing
        </button>
      </p>
    </Dialog>
  );
}
