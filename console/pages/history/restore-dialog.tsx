// Asks before restoring a version, and says what would change.
import { type FormEvent, useMemo, useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { flushSync } from 'react-dom';
import { useSaveList } from '../../lists/saving/use-save-list.ts';
import { describeChanges } from '../../lists/sentences/history-sentences.ts';
import { Sentences, useSentenceContext } from '../../lists/sentences/sentences.tsx';
import { sharedListTexts } from '../../lists/texts.ts';
import { Button } from '../../parts/button.tsx';
import { Actions, Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/fields.tsx';
import { shared } from '../../parts/texts.ts';
import type { KeptList } from '../../shell/api.ts';
import { navigate, useConsole } from '../../shell/console-context.ts';
import { ErrorNote } from '../../shell/error-note.tsx';
import { askToDiscard, useUnsaved } from '../../shell/unsaved.tsx';
import { versionTexts as texts } from './texts.ts';
import { changesOfRestoring } from './version-differences.ts';

/** The list has changed, so the dialog no longer shows everything that would change. */
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
  const [error, setError] = useState<unknown>();
  const [isSaving, setSaving] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const changes = useMemo(() => changesOfRestoring(then, now), [then, now]);
  const { summary, first, rest } = useMemo(() => describeChanges(changes, context), [changes, context]);
  const { list, version } = then;
  useUnsaved(reason !== '');
  const close = async () => {
    if (reason === '' || (await askToDiscard())) onClose();
  };

  const restore = async (event: FormEvent) => {
    event.preventDefault();
    setSaving(true);
    setError(undefined);
    try {
      const isSaved = await save({
        done: texts.restored(version),
        // Empty, so that a conflict calls `write` again, which then refuses.
        values: [],
        write(latest) {
          if (latest !== now.version) throw outdated;
          return api.undo(list, latest, version, reason.trim() || undefined);
        },
      });
      if (isSaved) {
        // Closed before the address changes: the reason is saved, so leaving must not ask.
        flushSync(onClose);
        navigate({ page: 'history', list });
        return;
      }
    } catch (failure) {
      setError(failure);
    }
    setSaving(false);
  };

  return (
    <Dialog title={texts.restoreTitle(version)} onClose={() => void close()}>
      <Form onSubmit={(event) => void restore(event)}>
        {changes.length === 0 ? (
          <p>{texts.sameAsNow}</p>
        ) : (
          <div className="restoring">
            <p>{texts.restoreText}</p>
            {summary !== null && <p className="summary">{summary}</p>}
            <Sentences sentences={isOpen ? [...first, ...rest] : first} />
            {rest.length > 0 && (
              <Button look="plain" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
                {isOpen ? texts.showLess : texts.showAll(rest.length)}
              </Button>
            )}
            <p className="quiet">{texts.restoreKeeps}</p>
          </div>
        )}
        <TextField
          label={sharedListTexts.reason}
          hint={sharedListTexts.reasonHint}
          value={reason}
          onChange={setReason}
          maxLength={500}
        />
        <ErrorNote error={error} title={error === outdated ? texts.changedTitle : undefined} />
        <Actions>
          <Button onPress={() => void close()}>{shared.cancel}</Button>
          <Button type="submit" look="primary" isPending={isSaving} isDisabled={changes.length === 0}>
            {texts.restore}
          </Button>
        </Actions>
      </Form>
    </Dialog>
  );
}
