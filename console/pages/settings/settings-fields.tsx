import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { keys } from '../../lists/queries.ts';
import { useSaveList } from '../../lists/saving/use-save-list.ts';
import { sharedListTexts } from '../../lists/texts.ts';
import { Button, CopyButton } from '../../parts/button.tsx';
import { Actions } from '../../parts/dialog.tsx';
import { TextAreaField, TextField } from '../../parts/fields.tsx';
import type { KeptList } from '../../shell/api.ts';
import { useConsole } from '../../shell/console-context.ts';
import { describeError, ErrorNote } from '../../shell/error-note.tsx';
import { useUnsaved } from '../../shell/unsaved.tsx';
import { RolesField } from './roles-field.tsx';
import { most, type SettingName, settingFaults, settingsToSend } from './settings-form.ts';
import { settingsTexts as texts } from './texts.ts';
import { useSettingsForm } from './use-settings-form.ts';

export function SettingsFields({ list, mayKeep }: { list: KeptList; mayKeep: boolean }) {
  const { api, permissions } = useConsole();
  const client = useQueryClient();
  const save = useSaveList(list.list);
  const { form, known, typed, pending, conflicts, isDirty, change, type, reset, saved } = useSettingsForm(list);
  const [reason, setReason] = useState('');
  const [error, setError] = useState<unknown>();
  const [isSaving, setSaving] = useState(false);
  useUnsaved(isDirty || reason !== '');

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (pending === undefined || Object.keys(settingFaults(pending)).length > 0) return;
    setSaving(true);
    setError(undefined);
    try {
      const changes = { ...settingsToSend(pending, known), ...(reason.trim() !== '' && { reason: reason.trim() }) };
      const isSaved = await save({
        done: texts.saved,
        values: [],
        isSettings: true,
        write: (version) => api.changeSettings(list.list, version, changes),
      });
      if (isSaved) {
        saved(client.getQueryData<KeptList>(keys.list(list.list)) ?? { ...list, ...changes });
        setReason('');
      }
    } catch (failure) {
      setError(failure);
    }
    setSaving(false);
  };

  const local = settingFaults(form);
  const sent = error === undefined ? [] : describeError(error).faults;
  /** The console's fault, or the service's. */
  const faultOf = (name: 'title' | 'description') => {
    if (local[name] === 'required') return texts.required;
    if (local[name] === 'long') return texts.tooLong(most[name]);
    return sent.find(({ field }) => field === name)?.message;
  };
  const noteOf = (name: SettingName) => {
    if (!conflicts.includes(name)) return undefined;
    const theirs = known[name];
    return texts.theirs((typeof theirs === 'string' ? theirs : theirs.join(', ')) || texts.nothing);
  };
  const maySetRights = permissions.createLists;
  return (
    <Form className="settings-form" onSubmit={(event) => void submit(event)} validationBehavior="aria">
      {!mayKeep && <p className="note info">{texts.readOnly}</p>}
      <TextField
        label={texts.title}
        value={form.title}
        onChange={(title) => change({ title })}
        fault={faultOf('title') ?? noteOf('title')}
        isReadOnly={!mayKeep}
        isRequired={mayKeep}
      />
      <div className="field">
        <span className="field-label">{texts.name}</span>
        <span className="row">
          <code>{list.list}</code>
          <CopyButton text={list.list} label={texts.copyName} />
        </span>
        <span className="hint">{texts.nameHint}</span>
      </div>
      <TextAreaField
        label={texts.description}
        hint={texts.descriptionHint}
        value={form.description}
        onChange={(description) => change({ description: description.replaceAll(/[\r\n]+/g, ' ') })}
        fault={faultOf('description') ?? noteOf('description')}
        isReadOnly={!mayKeep}
      />
      <h3>{texts.rights}</h3>
      {!maySetRights && <p className="quiet">{texts.rightsOnlyAdmins}</p>}
      <RolesField
        label={texts.readers}
        hint={texts.readersHint}
        ifNone={texts.readersDefault}
        inputLabel={texts.addReader}
        addLabel={texts.addToReaders}
        roles={form.readers}
        onChange={(readers) => change({ readers })}
        typed={typed.readers}
        onType={(readers) => type({ readers })}
        note={noteOf('readers')}
        isReadOnly={!maySetRights}
      />
      <RolesField
        label={texts.keepers}
        hint={texts.keepersHint}
        ifNone={texts.keepersDefault}
        inputLabel={texts.addKeeper}
        addLabel={texts.addToKeepers}
        roles={form.keepers}
        onChange={(keepers) => change({ keepers })}
        typed={typed.keepers}
        onType={(keepers) => type({ keepers })}
        note={noteOf('keepers')}
        isReadOnly={!maySetRights}
      />
      {mayKeep && (
        <>
          {(isDirty || reason !== '') && (
            <TextField
              label={sharedListTexts.reason}
              hint={sharedListTexts.reasonHint}
              value={reason}
              onChange={setReason}
              maxLength={500}
            />
          )}
          <ErrorNote error={error} />
          <Actions>
            {(isDirty || reason !== '') && (
              <Button
                onPress={() => {
                  reset();
                  setReason('');
                  setError(undefined);
                }}
              >
                {texts.reset}
              </Button>
            )}
            <Button type="submit" look="primary" isPending={isSaving} isDisabled={!isDirty}>
              {texts.save}
            </Button>
          </Actions>
        </>
      )}
    </Form>
  );
}
