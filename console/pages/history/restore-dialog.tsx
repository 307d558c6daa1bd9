// Asks before restoring a version, and says what would change.
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useMemo, useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { flushSync } from 'react-dom';
import { ReasonField } from '../../lists/saving/reason-field.tsx';
import { useSaveList } from '../../lists/saving/use-save-list.ts';
import { describeChanges } from '../../lists/sentences/history-sentences.ts';
import { Sentences, useSentenceContext } from '../../lists/sentences/sentences.tsx';
import { sharedListTexts } from '../../lists/texts.ts';
import { Button } from '../../parts/button.tsx';
import { Actions, Dialog } from '../../parts/dialog.tsx';
import { shared } from '../../parts/texts.ts';
import type { KeptList } from '../../shell/api.ts';
import { navigate, useConsole } from '../../shell/console-context.ts';
import { ErrorNote } from '../../shell/error-note.tsx';
import { useClosing } from '../../shell/unsaved.tsx';
import { versionTexts as texts } from './texts.ts';
import { changesOfRestoring } from './version-differences.ts';

/** Thrown if the list has changed and the dialog no longer shows everything that would change. */
const outdated = new Error(texts.changedMeanwhile);

interface RestoreDialogProps {
  then: KeptList;
  now: KeptList;
  onClose: () => void;
}

export function RestoreDialog({ then, now, onClose }: RestoreDialogProps) {
  const { api } = useConsole();
  const save = useSaveList(now.list);
  const context = useSentenceContext(now);
  const [reason, setReason] = useState('');
  const [isOpen, setOpen] = useState(false);
  const changes = useMemo(() => changesOfRestoring(then, now), [then, now]);
  const { summary, first, rest } = useMemo(() => describeChanges(changes, context), [changes, context]);
  const { list, version } = then;
  const close = useClosing(reason !== '', onClose);
  const restore = useMutation({
    mutationFn: () =>
      save({
        done: texts.restored(version),
        // Empty, so that `write` is called again after a version conflict and then throws `outdated`.
        values: [],
        write(latest) {
          if (latest !== now.version) throw outdated;
          return api.undo(list, latest, version, reason.trim() || undefined);
        },
      }),
    onSuccess(isSaved) {
      if (!isSaved) return;
      // The reason is saved. The dialog closes before the address changes, so that nothing asks about unsaved input.
      flushSync(onClose);
      navigate({ page: 'history', list });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    restore.mutate();
  };

  return (
    <Dialog title={texts.restoreTitle(version)} onClose={close}>
      <Form onSubmit={submit}>
        {changes.length === 0 ? (
          <p>{texts.sameAsNow}</p>
        ) : (
          <div className="restoring">
            <p>{texts.restoreText}</p>
            {summary !== null && <p className="summary">{summary}</p>}
            <Sentences sentences={isOpen ? [...first, ...rest] : first} />
            {rest.length > 0 && (
              <Button look="plain" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
                {isOpen ? sharedListTexts.showLess : sharedListTexts.showAll(rest.length)}
              </Button>
            )}
            <p className="quiet">{texts.restoreKeeps}</p>
          </div>
        )}
        <ReasonField value={reason} onChange={setReason} maxLength={500} />
        <ErrorNote error={restore.error} title={restore.error === outdated ? texts.changedTitle : undefined} />
        <Actions>
          <Button onPress={close}>{shared.cancel}</Button>
          <Button type="submit" look="primary" isPending={restore.isPending} isDisabled={changes.length === 0}>
            {texts.restore}
          </Button>
        </Actions>
      </Form>
    </Dialog>
  );
}
