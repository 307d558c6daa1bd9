import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useMemo, useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { flushSync } from 'react-dom';
import { FrontdeskError } from '../../../client/src/index.ts';
import { isListName } from '../../../src/lookup/rules/names.ts';
import { itemFaults } from '../../lists/items/texts.ts';
import { nameFromTitle } from '../../lists/items/value-from-label.ts';
import { keys, listChanged } from '../../lists/queries.ts';
import { ChangedSince, isVersionConflict } from '../../lists/saving/save-list.ts';
import { undoOrShowError } from '../../lists/saving/use-save-list.ts';
import { sharedListTexts } from '../../lists/texts.ts';
import { Button } from '../../parts/button.tsx';
import { Actions, Dialog } from '../../parts/dialog.tsx';
import { TextAreaField, TextField } from '../../parts/fields.tsx';
import { shared } from '../../parts/texts.ts';
import { pageKey } from '../../routes.ts';
import type { KeptList } from '../../shell/api.ts';
import { navigate, useConsole } from '../../shell/console-context.ts';
import { describeError, ErrorNote } from '../../shell/error-note.tsx';
import { showDone } from '../../shell/toasts.ts';
import { useClosing } from '../../shell/unsaved.tsx';
import { listsTexts as texts } from './texts.ts';

/** `taken` contains the names of existing lists. */
export function NewListDialog({ taken, onClose }: { taken: readonly string[]; onClose: () => void }) {
  const { api, me } = useConsole();
  const client = useQueryClient();
  const [title, setTitle] = useState('');
  /** Undefined until the user changes the proposed name. */
  const [typedName, setTypedName] = useState<string>();
  const [description, setDescription] = useState('');
  const [isSent, setSent] = useState(false);
  const names = useMemo(() => new Set(taken), [taken]);
  const name = typedName ?? nameFromTitle(title, names);
  const isDirty = title !== '' || description !== '' || typedName !== undefined;
  const close = useClosing(isDirty, onClose);
  // A list cannot be deleted, so Undo archives the new list, unless it has been changed since.
  const undo = ({ list, version }: KeptList) =>
    api.changeSettings(list, version, { archived: true }).catch((failure: unknown) => {
      throw isVersionConflict(failure) ? new ChangedSince(texts.changedSince) : failure;
    });
  const create = useMutation({
    mutationFn: () => {
      const text = description.trim();
      return api.createList({ list: name, title: title.trim(), ...(text !== '' && { description: text }) });
    },
    onSuccess(created) {
      void client.invalidateQueries({ queryKey: keys.lists });
      const undone = sharedListTexts.undone(texts.created);
      const onEnd = () => listChanged(client, created.list);
      const place = { page: 'list', list: name } as const;
      showDone(texts.created, {
        page: pageKey(place),
        run: () => undoOrShowError(undone, () => undo(created), onEnd, me.sub),
      });
      // All input is saved. The dialog closes before the address changes, so that nothing asks about unsaved input.
      flushSync(onClose);
      navigate(place);
    },
  });
  const { error } = create;
  const faults = faultsOf({ title, name, names, isSent, error });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    create.reset();
    if (Object.keys(faultsOf({ title, name, names, isSent: true, error: null })).length === 0) create.mutate();
  };
  const isTold = isNameTaken(error) || Object.keys(faults).length > 0;
  return (
    <Dialog title={texts.newList} onClose={close}>
      <Form onSubmit={submit} validationBehavior="aria">
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
          hint={sharedListTexts.nameHint}
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
          <Button onPress={close}>{shared.cancel}</Button>
          <Button type="submit" look="primary" isPending={create.isPending}>
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
  /** Whether the user has tried to create the list. Missing fields are reported only then. */
  isSent: boolean;
  error: unknown;
}

function faultsOf({ title, name, names, isSent, error }: FormState): Record<string, string> {
  const faults: Record<string, string> = {};
  if (error instanceof FrontdeskError) {
    for (const { field, message } of describeError(error).faults) faults[field] = message;
    if (isNameTaken(error)) faults.list = texts.nameTaken;
  }
  if (isSent && title.trim() === '') faults.title = itemFaults.required;
  if (isSent && name === '') faults.list = itemFaults.required;
  else if (name !== '' && !isListName(name)) faults.list = texts.nameFormat;
  else if (names.has(name)) faults.list = texts.nameTaken;
  return faults;
}
