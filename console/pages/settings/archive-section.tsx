import { useState } from 'react';
import { useSaveList } from '../../lists/saving/use-save-list.ts';
import { sharedListTexts } from '../../lists/texts.ts';
import { Button } from '../../parts/button.tsx';
import { Actions, Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/fields.tsx';
import { shared } from '../../parts/texts.ts';
import type { KeptList } from '../../shell/api.ts';
import { useConsole } from '../../shell/console-context.ts';
import { ErrorNote } from '../../shell/error-note.tsx';
import { askToDiscard, useUnsaved } from '../../shell/unsaved.tsx';
import { settingsTexts as texts } from './texts.ts';

/** Applications rely on these, so the service refuses to archive them. */
const standardLists: ReadonlySet<string> = new Set([
  'position',
  'overtime-eligibility',
  'employment-type',
  'employee-level',
]);

export function ArchiveSection({ list }: { list: KeptList }) {
  const { permissions } = useConsole();
  const [isAsking, setAsking] = useState(false);
  const { archived } = list;
  return (
    <section className="archive-section" aria-labelledby="archive-heading">
      <h3 id="archive-heading">{texts.archive}</h3>
      {standardLists.has(list.list) ? (
        <p className="quiet">{texts.standard}</p>
      ) : (
        <>
          <p className="quiet">{archived ? texts.isArchived : texts.archiveText}</p>
          {permissions.createLists ? (
            <Button look={archived ? 'normal' : 'danger'} onPress={() => setAsking(true)}>
              {archived ? texts.unarchiveList : texts.archiveList}
            </Button>
          ) : (
            <p className="quiet">{texts.rightsOnlyAdmins}</p>
          )}
        </>
      )}
      {isAsking && <ArchiveDialog list={list} onClose={() => setAsking(false)} />}
    </section>
  );
}

function ArchiveDialog({ list: { list, title, archived }, onClose }: { list: KeptList; onClose: () => void }) {
  const { api } = useConsole();
  const save = useSaveList(list);
  // Fixed when the dialog opens: a live change must not reverse the question.
  const [wasArchived] = useState(archived);
  const [reason, setReason] = useState('');
  const [error, setError] = useState<unknown>();
  const [isSaving, setSaving] = useState(false);
  useUnsaved(reason !== '');
  const close = async () => {
    if (reason === '' || (await askToDiscard())) onClose();
  };
  const confirm = async () => {
    setSaving(true);
    setError(undefined);
    const changes = { archived: !wasArchived, ...(reason.trim() !== '' && { reason: reason.trim() }) };
    try {
      const isSaved = await save({
        done: wasArchived ? texts.unarchived : texts.archived,
        values: [],
        isSettings: true,
        write: (version) => api.changeSettings(list, version, changes),
      });
      if (isSaved) return onClose();
    } catch (failure) {
      setError(failure);
    }
    setSaving(false);
  };
  return (
    <Dialog
      title={wasArchived ? texts.unarchiveTitle(title) : texts.archiveTitle(title)}
      onClose={() => void close()}
      isAlert
    >
      <p>{wasArchived ? texts.unarchiveConfirm : texts.archiveConfirm}</p>
      <TextField
        label={sharedListTexts.reason}
        hint={sharedListTexts.reasonHint}
        value={reason}
        onChange={setReason}
        maxLength={500}
      />
      <ErrorNote error={error} />
      <Actions>
        <Button onPress={() => void close()}>{shared.cancel}</Button>
        <Button look={wasArchived ? 'primary' : 'danger'} isPending={isSaving} onPress={() => void confirm()}>
          {wasArchived ? texts.unarchiveList : texts.archiveList}
        </Button>
      </Actions>
    </Dialog>
  );
}
