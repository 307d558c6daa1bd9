// The history of a list: who changed what, when and why.
import { useCallback, useEffect, useState } from 'react';
import type { Admin, KeptList, Step } from '../data/admin.ts';
import { Dialog, ErrorNote, moment, Waiting } from '../parts/parts.tsx';

interface HistoryDialogProps {
  admin: Admin;
  list: KeptList;
  onClose: () => void;
  onUndo: (version: number) => Promise<void>;
}

export function HistoryDialog({ admin, list, onClose, onUndo }: HistoryDialogProps) {
  const [steps, setSteps] = useState<Step[]>();
  const [error, setError] = useState<unknown>();
  const [isLoading, setLoading] = useState(false);
  const load = useCallback(
    (before?: number) =>
      admin
        .history(list.list, before)
        .then((more) => setSteps((known) => [...(before === undefined ? [] : (known ?? [])), ...more]), setError),
    [admin, list.list],
  );
  useEffect(() => void load(), [load]);
  const loadOlder = async () => {
    setLoading(true);
    await load(steps?.at(-1)?.version);
    setLoading(false);
  };
  const nameOf = (value: string) => list.items.find((item) => item.value === value)?.label ?? value;
  const oldest = steps?.at(-1)?.version ?? 1;
  return (
    <Dialog title={`History of ${list.title}`} onClose={onClose}>
      <ErrorNote error={error} />
      {steps === undefined && error === undefined && <Waiting what="Loading the history…" />}
      <ol className="steps" reversed>
        {steps?.map((step) => (
          <li key={step.version}>
            <div className="heading">
              <p>
                <strong>Version {step.version}</strong>
                {step.restoredVersion !== undefined && <> · restores version {step.restoredVersion}</>}
                <br />
                <span className="quiet">
                  {step.by}, {moment(step.at)}
                </span>
              </p>
              {step.version === list.version ? (
                <span className="badge">Current</span>
              ) : (
                <button
                  type="button"
                  aria-label={`Restore this version: ${step.version}`}
                  onClick={() => void onUndo(step.version)}
                >
                  Restore this version
                </button>
              )}
            </div>
            {step.reason !== null && <p dir="auto">“{step.reason}”</p>}
            <StepSummary step={step} nameOf={nameOf} />
          </li>
        ))}
      </ol>
      <p className="row">
        {oldest > 1 && (
          <button type="button" disabled={isLoading} onClick={() => void loadOlder()}>
            Show older
          </button>
        )}
        <button type="button" onClick={onClose}>
          Close
        </button>
      </p>
    </Dialog>
  );
}

const mostShown = 8;

export function StepSummary({ step, nameOf }: { step: Step; nameOf: (value: string) => string }) {
  const shown = step.changes.slice(0, mostShown);
  const left = step.changes.length - shown.length + (step.changesLeftOut ?? 0);
  return (
    <ul className="differences">
      {shown.map(({ value, before, after }) => (
        <Difference
          key={value ?? ''}
          name={value === null ? 'List' : before === null ? (after?.label ?? value) : nameOf(value)}
          before={before}
          after={after}
        />
      ))}
      {left > 0 && <li className="quiet">and {left} more</li>}
      {step.changes.length === 0 && <li className="quiet">List created</li>}
    </ul>
  );
}

const fieldNames: Record<string, string> = {
  title: 'title',
  description: 'description',
  label: 'label',
  labels: 'translations',
  sortOrder: 'order',
  validFrom: 'from',
  validTo: 'until',
  replacedBy: 'replaced by',
  readers: 'readers',
  keepers: 'keepers',
  archived: 'archived',
};

interface DifferenceProps {
  name: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

export function Difference({ name, before, after }: DifferenceProps) {
  if (before === null) {
    return (
      <li>
        <bdi>{name}</bdi> added
      </li>
    );
  }
  const fields = Object.keys(fieldNames).filter((field) => text(before[field]) !== text(after?.[field]));
  const isRetired = before.status === 'active' && after?.status === 'retired';
  const isRestored = before.status === 'retired' && after?.status === 'active';
  return (
    <li>
      <bdi>{name}</bdi>
      {isRetired && ' retired'}
      {isRestored && ' restored'}
      {fields.map((field) => (
        <span key={field}>
          {' '}
          · {fieldNames[field]} <del dir="auto">{text(before[field])}</del> <ins dir="auto">{text(after?.[field])}</ins>
        </span>
      ))}
    </li>
  );
}

function text(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  const entries = Object.entries(value);
  return entries.length === 0 ? 'none' : entries.map(([language, label]) => `${language}: ${label}`).join(', ');
}
