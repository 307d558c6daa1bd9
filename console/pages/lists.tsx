// All lists.
import { useCallback, useEffect, useState } from 'react';
import type { Admin, ListSummary } from '../data/admin.ts';
import { ImportDialog } from '../panels/import-dialog.tsx';
import { NewListDialog } from '../panels/new-list-dialog.tsx';
import { day, ErrorNote, Waiting } from '../parts/parts.tsx';

interface ListsPageProps {
  admin: Admin;
  versions: Record<string, number>;
  /** Grows when an announcement may have been missed. */
  epoch: number;
}

export function ListsPage({ admin, versions, epoch }: ListsPageProps) {
  const [lists, setLists] = useState<ListSummary[]>();
  const [error, setError] = useState<unknown>();
  const [dialog, setDialog] = useState<'new' | 'import'>();
  const load = useCallback(
    () =>
      admin.lists().then((found) => {
        setLists(found);
        setError(undefined);
      }, setError),
    [admin],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of any list, or a new epoch, is a reason to load again
  useEffect(() => void load(), [load, versions, epoch]);
  return (
    <>
      <div className="heading">
        <h1>Lists</h1>
        <p className="row">
          <button type="button" onClick={() => setDialog('import')}>
            Import
          </button>
          <button type="button" className="primary" onClick={() => setDialog('new')}>
            New list
          </button>
        </p>
      </div>
      <ErrorNote error={error} onClose={() => setError(undefined)} />
      {lists === undefined && error === undefined && <Waiting what="Loading the lists…" />}
      {lists !== undefined && (
        <ul className="tiles">
          {lists.map(({ list, title, active, retired, version, updatedAt }) => (
            <li key={list} className="card">
              <h2>
                <a href={`#/lists/${list}`} dir="auto">
                  {title}
                </a>
              </h2>
              <p>
                <code>{list}</code>
              </p>
              <p className="quiet">
                {active} {active === 1 ? 'value' : 'values'}
                {retired > 0 && `, ${retired} retired`} · version {version}, {day(updatedAt)}
              </p>
            </li>
          ))}
        </ul>
      )}
      {dialog === 'new' && (
        <NewListDialog
          onClose={() => setDialog(undefined)}
          onSave={async (list, title) => {
            await admin.create(list, title);
            location.hash = `#/lists/${list}`;
          }}
        />
      )}
      {dialog === 'import' && (
        <ImportDialog admin={admin} onClose={() => setDialog(undefined)} onDone={() => void load()} />
      )}
    </>
  );
}
