// One list, and keeping it: every change from the version it was begun at.
import { useCallback, useEffect, useRef, useState } from 'react';
import { FrontdeskError } from '../../client/src/index.ts';
import { useLookup } from '../../client/src/react.ts';
import type { Admin, ItemChanges, KeptItem, KeptList, NewItem, Step } from '../data/admin.ts';
import { ItemDialog, RetireDialog } from '../panels/item-dialogs.tsx';
import { Dialog, day, ErrorNote, Field, moment, Waiting } from '../parts/parts.tsx';
import { Rows } from '../parts/rows.tsx';
import { StepSummary, Steps } from './history.tsx';
import { ImportDialog } from './import.tsx';

interface Conflict {
  what: string;
  act: (version: number) => Promise<KeptList>;
  theirs: Step[];
  /** Versions before those. */
  leftOut: number;
  version: number;
  settle: (isSaved: boolean) => void;
  fail: (reason: unknown) => void;
}

/** With the version it was opened at: what happens meanwhile is a conflict, and not overwritten unseen. */
type OpenDialog = { version: number } & (
  | { kind: 'add' | 'import' | 'history' }
  | { kind: 'edit' | 'retire'; item: KeptItem }
);

interface ListPageProps {
  admin: Admin;
  name: string;
  /** The newest version that was heard of. */
  newest: number;
  /** Grows when something may have been missed. */
  epoch: number;
}

export function ListPage({ admin, name, newest, epoch }: ListPageProps) {
  const [kept, setKept] = useState<KeptList>();
  const [error, setError] = useState<unknown>();
  const [status, setStatus] = useState('');
  const [conflict, setConflict] = useState<Conflict>();
  const [dialog, setDialog] = useState<OpenDialog>();
  const [search, setSearch] = useState('');
  const [asOf, setAsOf] = useState('');
  const seen = useRef(0);

  const show = useCallback((list: KeptList) => {
    // An answer that was overtaken by another is for nobody.
    if (list.version < seen.current) return;
    seen.current = list.version;
    setKept(list);
  }, []);
  const isSaving = useRef(false);
  const load = useCallback(
    () =>
      admin.list(name).then((list) => {
        show(list);
        setError(undefined);
      }, setError),
    [admin, name, show],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new epoch is a reason to look again
  useEffect(() => void load(), [load, epoch]);
  useEffect(() => {
    if (newest <= seen.current || seen.current === 0) return;
    const isOwn = isSaving.current;
    void load().then(() => {
      if (!isOwn && seen.current >= newest) setStatus(`Somebody changed this list: version ${newest} is shown.`);
    });
  }, [newest, load]);

  /** True once it is saved. What cannot be saved is said, and stays as it was typed. */
  async function save(
    what: string,
    act: (version: number) => Promise<KeptList>,
    version = kept?.version ?? 0,
  ): Promise<boolean> {
    setError(undefined);
    setStatus(`${what}…`);
    isSaving.current = true;
    try {
      const list = await act(version);
      show(list);
      setStatus(`Saved: ${what}. This is version ${list.version}.`);
      return true;
    } catch (reason) {
      setStatus('');
      if (reason instanceof FrontdeskError && reason.code === 'version-conflict')
        return askAboutConflict(what, act, reason);
      throw reason;
    } finally {
      isSaving.current = false;
    }
  }

  /** The list has changed meanwhile: shows what others did, and asks whether to save on top of it. */
  function askAboutConflict(what: string, act: Conflict['act'], reason: FrontdeskError): Promise<boolean> {
    const {
      version = 0,
      changes: theirs = [],
      versionsLeftOut: leftOut = 0,
    } = reason.problem as { version?: number; changes?: Step[]; versionsLeftOut?: number };
    void load();
    return new Promise((settle, fail) => setConflict({ what, act, theirs, leftOut, version, settle, fail }));
  }

  async function resolveConflict(isMine: boolean) {
    if (conflict === undefined) return;
    const { what, act, version, settle: finish, fail } = conflict;
    setConflict(undefined);
    if (!isMine) return finish(false);
    try {
      finish(await save(what, act, version));
    } catch (reason) {
      fail(reason);
    }
  }

  /** For what has no form of its own to show an error in. */
  const saveHere = (what: string, act: Conflict['act'], version?: number) =>
    save(what, act, version).catch((reason: unknown) => {
      setError(reason);
      return false;
    });

  if (kept === undefined) {
    return (
      <>
        <Back />
        <ErrorNote error={error} />
        {error === undefined && <Waiting what="Loading the list…" />}
      </>
    );
  }
  const close = () => setDialog(undefined);
  const nameOf = (value: string) => kept.items.find((item) => item.value === value)?.label ?? value;
  return (
    <>
      <Back />
      <div className="heading">
        <div>
          <h1 dir="auto">{kept.title}</h1>
          <p className="quiet">
            <code>{kept.list}</code> · version {kept.version}
          </p>
        </div>
        <p className="row">
          <button type="button" onClick={() => setDialog({ kind: 'history', version: kept.version })}>
            History
          </button>
          <button type="button" onClick={() => setDialog({ kind: 'import', version: kept.version })}>
            Import
          </button>
          <ExportButtons admin={admin} name={name} onError={setError} />
          <button type="button" className="primary" onClick={() => setDialog({ kind: 'add', version: kept.version })}>
            Add a value
          </button>
        </p>
      </div>
      <ErrorNote error={error} onClose={() => setError(undefined)} />
      <p className="status" role="status">
        {status}
      </p>
      <div className="tools">
        <Field label="Search">
          {(id) => <input id={id} type="search" value={search} onChange={(event) => setSearch(event.target.value)} />}
        </Field>
        <Field label="Preview as of">
          {(id) => <input id={id} type="date" value={asOf} onChange={(event) => setAsOf(event.target.value)} />}
        </Field>
      </div>
      {asOf !== '' && <Preview name={name} asOf={asOf} version={kept.version} onClose={() => setAsOf('')} />}
      {/* Hidden and not gone: somebody may be typing in it. */}
      <div className="kept" hidden={asOf !== ''}>
        <Rows
          list={kept}
          search={search}
          onRename={(item, label, from) =>
            save(
              `“${item.label}” is now “${label}”`,
              (version) => admin.change(name, version, item.value, { label }),
              from,
            )
          }
          onReorder={(values, from) => saveHere('New order', (version) => admin.reorder(name, version, values), from)}
          onRestore={(item) =>
            saveHere(`“${item.label}” is back`, (version) => admin.restore(name, version, item.value))
          }
          onEdit={(item) => setDialog({ kind: 'edit', item, version: kept.version })}
          onRetire={(item) => setDialog({ kind: 'retire', item, version: kept.version })}
        />
      </div>

      {dialog?.kind === 'add' && (
        <ItemDialog
          onClose={close}
          onSave={(item) =>
            save(`“${item.label}” added`, (version) => admin.add(name, version, item as NewItem), dialog.version)
          }
        />
      )}
      {dialog?.kind === 'edit' && (
        <ItemDialog
          item={dialog.item}
          onClose={close}
          onSave={(changes: ItemChanges) =>
            save(
              `“${dialog.item.label}” changed`,
              (version) => admin.change(name, version, dialog.item.value, changes),
              dialog.version,
            )
          }
        />
      )}
      {dialog?.kind === 'retire' && (
        <RetireDialog
          item={dialog.item}
          others={kept.items.filter(({ status: each, value }) => each === 'active' && value !== dialog.item.value)}
          onClose={close}
          onSave={(body) =>
            save(
              `“${dialog.item.label}” retired`,
              (version) => admin.retire(name, version, dialog.item.value, body),
              dialog.version,
            )
          }
        />
      )}
      {dialog?.kind === 'import' && <ImportDialog admin={admin} onClose={close} onDone={() => void load()} />}
      {dialog?.kind === 'history' && (
        <Steps
          admin={admin}
          list={kept}
          onClose={close}
          onUndo={async (to) => {
            close();
            await saveHere(`back to version ${to}`, (version) => admin.undo(name, version, to), dialog.version);
          }}
        />
      )}
      {conflict !== undefined && (
        <Dialog title="Somebody else changed this list meanwhile" onClose={() => void resolveConflict(false)}>
          <p>Yours is not saved yet: {conflict.what}. This has happened since you looked:</p>
          <ul className="steps">
            {conflict.theirs.map((step) => (
              <li key={step.version}>
                <p className="quiet">
                  {step.by}, {moment(step.at)}
                </p>
                <StepSummary step={step} nameOf={nameOf} />
              </li>
            ))}
            {conflict.leftOut > 0 && <li className="quiet">and {conflict.leftOut} older versions: see the history</li>}
          </ul>
          <p className="row">
            <button type="button" className="primary" onClick={() => void resolveConflict(true)}>
              Save mine as well
            </button>
            <button type="button" onClick={() => void resolveConflict(false)}>
              Do not save
            </button>
          </p>
        </Dialog>
      )}
    </>
  );
}

const Back = () => (
  <p>
    <a href="#/lists">
      <span aria-hidden="true">‹ </span>All lists
    </a>
  </p>
);

function ExportButtons({ admin, name, onError }: { admin: Admin; name: string; onError: (error: unknown) => void }) {
  const download = async (type: 'text/csv' | 'application/yaml') => {
    try {
      const url = URL.createObjectURL(await admin.export(name, type));
      const link = document.createElement('a');
      link.href = url;
      link.download = `${name}.${type === 'text/csv' ? 'csv' : 'yaml'}`;
      link.click();
      URL.revokeObjectURL(url);
    } catch (error) {
      onError(error);
    }
  };
  return (
    <>
      <button type="button" onClick={() => void download('text/csv')}>
        Export CSV
      </button>
      <button type="button" onClick={() => void download('application/yaml')}>
        Export YAML
      </button>
    </>
  );
}

/** The list as forms will have it on that day. */
function Preview({
  name,
  asOf,
  version,
  onClose,
}: {
  name: string;
  asOf: string;
  version: number;
  onClose: () => void;
}) {
  const { data: items, error } = useLookup(name, { asOf, version });
  return (
    <section className="card" aria-labelledby="preview">
      <div className="heading">
        <h2 id="preview">As of {day(asOf)}</h2>
        <button type="button" onClick={onClose}>
          Close the preview
        </button>
      </div>
      <ErrorNote error={error} />
      {items === undefined && error === undefined && <Waiting what="Loading the preview…" />}
      {items?.length === 0 && <p className="quiet">Nothing is on the list that day.</p>}
      <ol className="preview">
        {items?.map((item) => (
          <li key={item.value}>
            <bdi>{item.label}</bdi> <code>{item.value}</code>
          </li>
        ))}
      </ol>
    </section>
  );
}
