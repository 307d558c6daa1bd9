// One list and its values. Every change is made from the version it was begun at.
import { useState } from 'react';
import type { Admin } from '../data/admin.ts';
import { useList } from '../data/use-list.ts';
import { ConflictDialog } from '../panels/conflict-dialog.tsx';
import { ListDialogs, type OpenDialog } from '../panels/list-dialogs.tsx';
import { ExportButtons } from '../parts/export-buttons.tsx';
import { ListPreview } from '../parts/list-preview.tsx';
import { ErrorNote, Field, Waiting } from '../parts/parts.tsx';
import { Rows } from '../parts/rows.tsx';

interface ListPageProps {
  admin: Admin;
  name: string;
  /** The newest version announced. */
  newest: number;
  /** Grows when an announcement may have been missed. */
  epoch: number;
}

export function ListPage({ admin, name, newest, epoch }: ListPageProps) {
  const { kept, error, setError, status, conflict, load, save, saveHere, resolveConflict } = useList(
    admin,
    name,
    newest,
    epoch,
  );
  const [dialog, setDialog] = useState<OpenDialog>();
  const [search, setSearch] = useState('');
  const [asOf, setAsOf] = useState('');

  if (kept === undefined) {
    return (
      <>
        <Back />
        <ErrorNote error={error} />
        {error === undefined && <Waiting what="Loading the list…" />}
      </>
    );
  }
  const { version: from } = kept;
  const nameOf = (value: string) => kept.items.find((item) => item.value === value)?.label ?? value;
  return (
    <>
      <Back />
      <div className="heading">
        <div>
          <h1 dir="auto">{kept.title}</h1>
          <p className="quiet">
            <code>{kept.list}</code> · version {from}
          </p>
        </div>
        <p className="row">
          <button type="button" onClick={() => setDialog({ kind: 'history', version: from })}>
            History
          </button>
          <button type="button" onClick={() => setDialog({ kind: 'import', version: from })}>
            Import
          </button>
          <ExportButtons admin={admin} name={name} onError={setError} />
          <button type="button" className="primary" onClick={() => setDialog({ kind: 'add', version: from })}>
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
      {asOf !== '' && <ListPreview name={name} asOf={asOf} version={from} onClose={() => setAsOf('')} />}
      {/* Hidden and not removed: a label in it may be being edited. */}
      <div className="kept" hidden={asOf !== ''}>
        <Rows
          list={kept}
          search={search}
          onRename={(item, label, at) => {
            const done = `“${item.label}” renamed to “${label}”`;
            return save(done, (version) => admin.change(name, version, item.value, { label }), at);
          }}
          onReorder={(values, at) => saveHere('Order saved', (version) => admin.reorder(name, version, values), at)}
          onRestore={(item) =>
            saveHere(`“${item.label}” restored`, (version) => admin.restore(name, version, item.value))
          }
          onEdit={(item) => setDialog({ kind: 'edit', item, version: from })}
          onRetire={(item) => setDialog({ kind: 'retire', item, version: from })}
        />
      </div>
      {dialog !== undefined && (
        <ListDialogs
          admin={admin}
          list={kept}
          dialog={dialog}
          save={save}
          saveHere={saveHere}
          onImported={() => void load()}
          onClose={() => setDialog(undefined)}
        />
      )}
      {conflict !== undefined && (
        <ConflictDialog conflict={conflict} nameOf={nameOf} onResolve={(isMine) => void resolveConflict(isMine)} />
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
