import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isStandardList } from '../../../src/lookup/rules/list.ts';
import { ReasonField } from '../../lists/saving/reason-field.tsx';
import { useSaveList } from '../../lists/saving/use-save-list.ts';
import { shownTitle } from '../../lists/texts.ts';
import { Button } from '../../parts/button.tsx';
import { Actions, Dialog } from '../../parts/dialog.tsx';
import { shared } from '../../parts/texts.ts';
import type { KeptList } from '../../shell/api.ts';
import { useConsole } from '../../shell/console-context.ts';
import { ErrorNote } from '../../shell/error-note.tsx';
import { useClosing } from '../../shell/unsaved.tsx';
import { settingsTexts as texts } from './texts.ts';

export function ArchiveSection({ list }: { list: KeptList }) {
  const { permissions } = useConsole();
  const [isAsking, setAsking] = useState(false);
  const { archived } = list;
  return (
    <section className="archive-section" aria-labelledby="archive-heading">
      <h3 id="archive-heading">{texts.archive}</h3>
      {isStandardList(list.list) ? (
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

function ArchiveDialog({ list: { list, archived, ...named }, onClose }: { list: KeptList; onClose: () => void }) {
  const { api } = useConsole();
  const save = useSaveList(list);
  const title = shownTitle(named);
  // Fixed when the dialog opens: if others archive the list meanwhile, the question must not change to unarchiving.
  const [wasArchived] = useState(archived);
  const [reason, setReason] = useState('');
  const close = useClosing(reason !== '', onClose);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => {
      const changes = { archived: !wasArchived, ...(reason.trim() !== '' && { reason: reason.trim() }) };
      return save({
        done: wasArchived ? texts.unarchived : texts.archived,
        values: [],
        isSettings: true,
        write: (version) => api.changeSettings(list, version, changes),
      });
    },
    onSuccess: (isSaved) => isSaved && onClose(),
  });
  return (
    <Dialog title={wasArchived ? texts.unarchiveTitle(title) : texts.archiveTitle(title)} onClose={close} isAlert>
      <p>{wasArchived ? texts.unarchiveConfirm : texts.archiveConfirm}</p>
      <ReasonField value={reason} onChange={setReason} maxLength={500} />
      <ErrorNote error={error} />
      <Actions>
        <Button onPress={close}>{shared.cancel}</Button>
        <Button look={wasArchived ? 'primary' : 'danger'} isPending={isPending} onPress={() => mutate()}>
          {wasArchived ? texts.unarchiveList : texts.archiveList}
        </Button>
      </Actions>
    </Dialog>
  );
}
