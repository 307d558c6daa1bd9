// The dialog that is open on a list's page.
import type { Admin, KeptItem, KeptList } from '../data/admin.ts';
import type { Write } from '../data/use-list.ts';
import { HistoryDialog } from './history-dialog.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { ItemDialog } from './item-dialog.tsx';
import { RetireDialog } from './retire-dialog.tsx';

/** With the version it was opened at: a change that others save meanwhile is a conflict, and is not overwritten. */
export type OpenDialog = { version: number } & (
  | { kind: 'add' | 'import' | 'history' }
  | { kind: 'edit' | 'retire'; item: KeptItem }
);

type Save = (done: string, write: Write, version?: number) => Promise<boolean>;

interface ListDialogsProps {
  admin: Admin;
  list: KeptList;
  dialog: OpenDialog;
  save: Save;
  /** The same; an error is shown on the page. */
  saveHere: Save;
  onImported: () => void;
  onClose: () => void;
}

export function ListDialogs({ admin, list, dialog, save, saveHere, onImported, onClose }: ListDialogsProps) {
  const { list: name, items } = list;
  const { version: from } = dialog;
  if (dialog.kind === 'import') return <ImportDialog admin={admin} onClose={onClose} onDone={onImported} />;
  if (dialog.kind === 'history') {
    const undo = async (to: number) => {
      onClose();
      await saveHere(`Version ${to} restored`, (version) => admin.undo(name, version, to), from);
    };
    return <HistoryDialog admin={admin} list={list} onClose={onClose} onUndo={undo} />;
  }
  if (!('item' in dialog)) {
    return (
      <ItemDialog
        onClose={onClose}
        onAdd={(item) => save(`“${item.label}” added`, (version) => admin.add(name, version, item), from)}
      />
    );
  }
  const { item } = dialog;
  if (dialog.kind === 'edit') {
    return (
      <ItemDialog
        item={item}
        onClose={onClose}
        onChange={(changes) =>
          save(`“${item.label}” changed`, (version) => admin.change(name, version, item.value, changes), from)
        }
      />
    );
  }
  return (
    <RetireDialog
      item={item}
      others={items.filter(({ status, value }) => status === 'active' && value !== item.value)}
      onClose={onClose}
      onSave={(body) =>
        save(`“${item.label}” retired`, (version) => admin.retire(name, version, item.value, body), from)
      }
    />
  );
}
