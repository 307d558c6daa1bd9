// Importing a file of lists: shows what it would change, then applies it.
import { useRef, useState } from 'react';
import { FrontdeskError } from '../../client/src/index.ts';
import type { Admin, PlannedChange } from '../data/admin.ts';
import { Dialog, ErrorNote, Waiting } from '../parts/parts.tsx';
import { ReasonField } from './form-dialog.tsx';
import { Difference } from './history-dialog.tsx';

const mostShown = 100;
/** The service takes no larger body. */
const largestFileBytes = 256 * 1024;
const applying = 'Applying…';

export function ImportDialog({ admin, onClose, onDone }: { admin: Admin; onClose: () => void; onDone: () => void }) {
  const [file, setFile] = useState<File>();
  /** The one chosen last: answers about an earlier one are ignored. */
  const chosen = useRef<File>(undefined);
  const [plan, setPlan] = useState<PlannedChange[]>();
  const [working, setWorking] = useState<string>();
  const [error, setError] = useState<unknown>();
  const [reason, setReason] = useState('');
  const [isDone, setDone] = useState(false);

  async function work(what: string, act: () => Promise<void>) {
    setError(undefined);
    setWorking(what);
    try {
      await act();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setWorking(undefined);
    }
  }

  const choose = (next: File | undefined) => {
    if (next === undefined) return;
    chosen.current = next;
    setFile(next);
    setPlan(undefined);
    setDone(false);
    void work(`Reading ${next.name}…`, async () => {
      if (next.size > largestFileBytes) throw tooLarge(next);
      const { changes } = await admin.plan(next);
      if (chosen.current === next) setPlan(changes);
    });
  };

  return (
    // Not closed while it is being applied: nobody would see the result.
    <Dialog title="Import a file" onClose={onClose} isFirm={working === applying}>
      <p>CSV or YAML, as Export writes it, up to 256 KiB. You see the changes before they are applied.</p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: for a mouse; the button inside does the same */}
      <div
        className="drop"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          choose(event.dataTransfer.files[0]);
        }}
      >
        <label>
          Drop a file here, or choose one{' '}
          <input
            type="file"
            accept=".csv,.yaml,.yml,.json"
            onChange={(event) => choose(event.target.files?.[0])}
            // Choosing the same file again, after it was corrected, must be a change.
            onClick={(event) => {
              event.currentTarget.value = '';
            }}
          />
        </label>
      </div>
      {working !== undefined && <Waiting what={working} />}
      <ErrorNote error={error} wrong="This file cannot be used as it is" />
      {isDone && (
        <p className="note good" role="status">
          Done: {plan?.length} {plan?.length === 1 ? 'change' : 'changes'}.
        </p>
      )}
      {plan !== undefined && !isDone && (
        <>
          <h3>
            {plan.length === 0
              ? 'This file changes nothing'
              : `${plan.length} ${plan.length === 1 ? 'change' : 'changes'}`}
          </h3>
          <ul className="differences">
            {plan.slice(0, mostShown).map((change) => (
              <Difference
                key={`${change.list} ${change.kind} ${change.value}`}
                name={
                  change.value === null
                    ? change.list
                    : `${change.list} · ${change.before?.label ?? change.after?.label ?? change.value}`
                }
                before={change.before}
                after={change.after}
              />
            ))}
            {plan.length > mostShown && <li className="quiet">and {plan.length - mostShown} more</li>}
          </ul>
          {plan.length > 0 && <ReasonField reason={reason} onChange={setReason} />}
        </>
      )}
      <p className="row">
        {plan !== undefined && plan.length > 0 && !isDone && (
          <button
            type="button"
            className="primary"
            disabled={working !== undefined}
            onClick={() =>
              void work(applying, async () => {
                if (file === undefined) return;
                setPlan((await admin.apply(file, reason)).changes);
                setDone(true);
                onDone();
              })
            }
          >
            Apply
          </button>
        )}
        <button type="button" onClick={onClose} disabled={working === applying}>
          {isDone ? 'Close' : 'Cancel'}
        </button>
      </p>
    </Dialog>
  );
}

function tooLarge({ name, size }: File): FrontdeskError {
  const kibibytes = Math.ceil(size / 102.4) / 10;
  const detail = `It has ${kibibytes} KiB; a file may have 256 KiB. Split it into several files and import them one after the other.`;
  return new FrontdeskError({ status: 413, title: `${name} is too large`, detail });
}
