import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useMemo, useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { flushSync } from 'react-dom';
import { FrontdeskError } from '../../../client/src/index.ts';
import { listNamePattern } from '../../../src/lookup/rules/names.ts';
import { nameFromTitle } from '../../lists/items/value-from-label.ts';
import { keys, listChanged } from '../../lists/queries.ts';
import { isVersionConflict } from '../../lists/saving/save-list.ts';
import { sharedListTexts } from '../../lists/texts.ts';
import { Button } from '../../parts/button.tsx';
import { Actions, Dialog } from '../../parts/dialog.tsx';
import { TextAreaField, TextField } from '../../parts/fields.tsx';
import { shared } from '../../parts/texts.ts';
import type { KeptList } from '../../shell/api.ts';
import { navigate, useConsole } from '../../shell/console-context.ts';
import { describeError, ErrorNote } from '../../shell/error-note.tsx';
import { showDone, showError } from '../../shell/toasts.tsx';
import { askToDiscard, useUnsaved } from '../../shell/unsaved.tsx';
import { listsTexts as texts } from './texts.ts';

const nameFormat = new RegExp(`^${listNamePattern}$`);

/** `taken`: the names of existing lists. */
export function NewListDialog({ taken, onClose }: { taken: readonly string[]; onClose: () => void }) {
  const { api } = useConsole();
  const client = useQueryClient();
  const [title, setTitle] = useState('');
  /** Undefined until the user changes the proposed name. */
  const [typedName, setTypedName] = useState<string>();
  const [description, setDescription] = useState('');
  const [error, setError] = useState<unknown>();
  const [isSent, setSent] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const names = useMemo(() => new Set(taken), [taken]);
  const name = typedName ?? nameFromTitle(title, names);
  const isDirty = title !== '' || description !== '' || typedName !== undefined;
  useUnsaved(isDirty);

  const faults = faultsOf({ title, name, names, isSent, error });
  const close = async () => {
    if (!isDirty || (await askToDiscard())) onClose();
  };
  // A list cannot be deleted, so undoing archives it, as long as it is empty.
  const undo = async (created: KeptList): Promise<void> => {
    try {
      await api.changeSettings(created.list, created.version, { archived: true });
      showDone(sharedListTexts.undone(texts.created));
    } catch (failure) {
      if (isVersionConflict(failure)) showError(new Error(texts.changedSince), undefined, sharedListTexts.notUndone);
      else showError(failure, () => undo(created), sharedListTexts.notUndone);
    } finally {
      listChanged(client, created.list);
    }
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    setError(undefined);
    if (Object.keys(faultsOf({ title, name, names, isSent: true, error: undefined })).length > 0) return;
    setSaving(true);
    try {
      const text = description.trim();
      const created = await api.createList({
        list: name,
        title: title.trim(),
        ...(text !== '' && { description: text }),
      });
      void client.invalidateQueries({ queryKey: keys.lists });
      showDone(texts.created, () => undo(created));
      // Closed before the address changes: everything is saved, so leaving must not ask.
      flushSync(onClose);
      navigate({ page: 'list', list: name });
    } catch (failure) {
      setError(failure);
      setSaving(false);
    }
  };
  const isTold = isNameTaken(error) || Object.keys(faults).length > 0;
  return (
    <Dialog title={texts.newTitle} onClose={() => void close()}>
      <Form onSubmit={(event) => void submit(event)} validationBehavior="aria">
        <TextField
          label={texts.titleField}
          value={title}
          onChange={setTitle}
          fault={faults.title}
          maxLength={200}
          isRequired
          autoFocus
        />
        <TextField
          label={texts.nameField}
          hint={texts.nameHint}
          value={name}
          onChange={(typed) => setTypedName(typed === '' ? undefined : typed)}
          fault={faults.list}
          maxLength={64}
          isRequired
          dir="ltr"
          spellCheck="false"
        />
        <TextAreaField
          label={texts.descriptionField}
          value={description}
          onChange={setDescription}
          fault={faults.description}
          maxLength={500}
        />
        {!isTold && <ErrorNote error={error} />}
        <Actions>
          <Button onPress={() => void close()}>{shared.cancel}</Button>
          <Button type="submit" look="primary" isPending={isSaving}>
            {texts.create}
          </Button>
        </Actions>
      </Form>
    </Dialog>
  );
}

const isNameTaken = (error: unknown) => error instanceof FrontdeskError && error.code === 'already-exists';

interface FormState {
  title: string;
  name: string;
  names: ReadonlySet<string>;
  /** Missing fields are reported after the first attempt. */
  isSent: boolean;
  error: unknown;
}

function faultsOf({ title, name, names, isSent, error }: FormState): Record<string, string> {
  const faults: Record<string, string> = {};
  if (error instanceof FrontdeskError) {
    for (const { field, message } of describeError(error).faults) faults[field] = message;
    if (isNameTaken(error)) faults.list = texts.nameTaken;
  }
  if (isSent && title.trim() === '') faults.title = texts.required;
  if (isSent && name === '') faults.list = texts.required;
  else if (name !== '' && !nameFormat.test(name)) faults.list = texts.nameFormat;
  else if (names.has(name)) faults.list = texts.nameTaken;
  return faults;
}
