import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { itemFaults } from '../../lists/items/texts.ts';
import { languageName } from '../../lists/languages/language-names.ts';
import { LanguagePicker } from '../../lists/languages/language-picker.tsx';
import { ListHeader } from '../../lists/list-header.tsx';
import { keys, useList, useLists, useSummary } from '../../lists/queries.ts';
import { ReasonField } from '../../lists/saving/reason-field.tsx';
import { useSaveList } from '../../lists/saving/use-save-list.ts';
import { sharedListTexts } from '../../lists/texts.ts';
import { Button, CopyButton } from '../../parts/button.tsx';
import { Actions } from '../../parts/dialog.tsx';
import { TextAreaField, TextField } from '../../parts/fields.tsx';
import { shared } from '../../parts/texts.ts';
import type { KeptList } from '../../shell/api.ts';
import { useConsole } from '../../shell/console-context.ts';
import { describeError, ErrorNote } from '../../shell/error-note.tsx';
import { LoadingOrError } from '../../shell/loading.tsx';
import { useUnsaved } from '../../shell/unsaved.tsx';
import { ArchiveSection } from './archive-section.tsx';
import { RolesField } from './roles-field.tsx';
import {
  addRole,
  differing,
  formOf,
  isUnknownRole,
  languagesOf,
  most,
  rebaseForm,
  type SettingName,
  type SettingsForm,
  settingFaults,
  settingsToSend,
  type TextField as TextFieldName,
  withLanguage,
  withoutLanguage,
} from './settings-form.ts';
import { settingsTexts as texts } from './texts.ts';

export function SettingsPage({ list }: { list: string }) {
  const kept = useList(list);
  const summaries = useLists();
  const mayKeep = useSummary(list)?.mayKeep ?? false;
  return (
    <>
      <ListHeader list={list} current="settings" windowTitle={texts.windowTitle} />
      <h2 className="unseen">{sharedListTexts.settings}</h2>
      {kept.data === undefined || summaries.data === undefined ? (
        <LoadingOrError query={kept.data === undefined ? kept : summaries} />
      ) : (
        <div className="settings">
          <SettingsFields key={list} list={kept.data} mayKeep={mayKeep} />
          <ArchiveSection list={kept.data} />
        </div>
      )}
    </>
  );
}

function SettingsFields({ list, mayKeep }: { list: KeptList; mayKeep: boolean }) {
  const { api, permissions } = useConsole();
  const client = useQueryClient();
  const save = useSaveList(list.list);
  const { form, known, typed, pending, conflicts, isDirty, change, type, addTyped, reset, saved } =
    useSettingsForm(list);
  const [reason, setReason] = useState('');
  /** Whether Save has only added a typed role that nobody has, without saving anything. */
  const [isAsking, setAsking] = useState(false);
  useUnsaved(isDirty || reason !== '');

  const maySetRights = permissions.createLists;
  const { data } = useQuery({
    queryKey: ['known-roles'],
    queryFn: ({ signal }) => api.knownRoles(signal),
    enabled: maySetRights,
  });

  const saving = useMutation({
    async mutationFn(settings: SettingsForm) {
      const changes = { ...settingsToSend(settings, known), ...(reason.trim() !== '' && { reason: reason.trim() }) };
      const isSaved = await save({
        done: texts.saved,
        values: [],
        isSettings: true,
        write: (version) => api.changeSettings(list.list, version, changes),
      });
      if (!isSaved) return;
      saved(client.getQueryData<KeptList>(keys.list(list.list)) ?? list);
      setReason('');
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (pending === undefined || Object.keys(settingFaults(pending)).length > 0) return;
    const isUnmarked = [typed.readers, typed.keepers].some((role) => isUnknownRole(role.trim(), data?.roles));
    setAsking(isUnmarked);
    if (isUnmarked) addTyped(pending);
    else saving.mutate(pending);
  };

  const local = settingFaults(form);
  const sent = saving.error === null ? [] : describeError(saving.error).faults;
  /** The fault that the console found; if there is none, the fault that the service found. */
  const faultOf = (name: TextFieldName) => {
    if (local[name] === 'required') return itemFaults.required;
    if (local[name] === 'long') return texts.tooLong(name.startsWith('title') ? most.title : most.description);
    return sent.find(({ field }) => field === name)?.message;
  };
  const noteOf = (name: SettingName) => {
    if (!conflicts.includes(name)) return undefined;
    const theirs = known[name];
    if (typeof theirs === 'string') return texts.theirs(theirs || ifEmpty[name]);
    return texts.theirs(Object.values(theirs).join(', ') || ifEmpty[name]);
  };
  return (
    <Form className="settings-form" onSubmit={submit} validationBehavior="aria">
      {!mayKeep && <p className="note info">{sharedListTexts.readOnly}</p>}
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
        <span className="hint">{sharedListTexts.nameHint}</span>
      </div>
      <TextAreaField
        label={texts.description}
        hint={texts.descriptionHint}
        value={form.description}
        onChange={(description) => change({ description: description.replaceAll(/[\r\n]+/g, ' ') })}
        fault={faultOf('description') ?? noteOf('description')}
        isReadOnly={!mayKeep}
      />
      <TranslatedTexts
        form={form}
        onChange={change}
        faultOf={faultOf}
        note={noteOf('titles') ?? noteOf('descriptions')}
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
        known={data?.roles}
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
        known={data?.roles}
      />
      {mayKeep && (
        <>
          {(isDirty || reason !== '') && <ReasonField value={reason} onChange={setReason} maxLength={500} />}
          <ErrorNote error={saving.error} />
          <div role="alert">{isAsking && isDirty && <p className="note warning">{texts.checkRoles}</p>}</div>
          <Actions>
            {(isDirty || reason !== '') && (
              <Button
                onPress={() => {
                  reset();
                  setReason('');
                  saving.reset();
                  setAsking(false);
                }}
              >
                {texts.reset}
              </Button>
            )}
            <Button type="submit" look="primary" isPending={saving.isPending} isDisabled={!isDirty}>
              {shared.save}
            </Button>
          </Actions>
        </>
      )}
    </Form>
  );
}

interface TranslatedTextsProps {
  form: SettingsForm;
  onChange: (changes: Partial<SettingsForm>) => void;
  faultOf: (name: TextFieldName) => string | undefined;
  note: string | undefined;
  isReadOnly: boolean;
}

/** Title and description in other languages: two fields for each language. */
function TranslatedTexts({ form, onChange, faultOf, note, isReadOnly }: TranslatedTextsProps) {
  const [added, setAdded] = useState<string>();
  const languages = languagesOf(form)
    .map((tag) => ({ tag, name: languageName(tag) }))
    .sort((one, other) => one.name.localeCompare(other.name));
  const add = (tag: string) => {
    setAdded(tag);
    onChange(withLanguage(form, tag));
  };
  return (
    <section className="list-translations" aria-labelledby="list-translations">
      <h3 id="list-translations">{sharedListTexts.translations}</h3>
      <p className="hint">{texts.translationsHint}</p>
      {note !== undefined && <p className="fault">{note}</p>}
      {languages.map(({ tag, name }) => (
        <fieldset key={tag} className="list-translation">
          <legend className="unseen">{name}</legend>
          <TextField
            label={texts.titleIn(name)}
            value={form.titles[tag] ?? ''}
            lang={tag}
            autoFocus={tag === added}
            onChange={(text) => onChange({ titles: { ...form.titles, [tag]: text } })}
            fault={faultOf(`titles.${tag}`)}
            isReadOnly={isReadOnly}
          />
          <TextAreaField
            label={texts.descriptionIn(name)}
            value={form.descriptions[tag] ?? ''}
            lang={tag}
            rows={2}
            onChange={(text) =>
              onChange({ descriptions: { ...form.descriptions, [tag]: text.replaceAll(/[\r\n]+/g, ' ') } })
            }
            fault={faultOf(`descriptions.${tag}`)}
            isReadOnly={isReadOnly}
          />
          {!isReadOnly && (
            <Button look="icon" aria-label={shared.remove(name)} onPress={() => onChange(withoutLanguage(form, tag))}>
              <X aria-hidden="true" size={16} />
            </Button>
          )}
        </fieldset>
      ))}
      {!isReadOnly && (
        <LanguagePicker
          label={sharedListTexts.addLanguage}
          placeholder={sharedListTexts.addLanguageHint}
          used={languages.map(({ tag }) => tag)}
          onPick={add}
        />
      )}
    </section>
  );
}

interface Typed {
  readers: string;
  keepers: string;
}
const nothingTyped: Typed = { readers: '', keepers: '' };
const ifEmpty: Record<SettingName, string> = {
  title: '',
  titles: texts.noTranslation,
  description: texts.nothing,
  descriptions: texts.noTranslation,
  readers: texts.readersDefault,
  keepers: texts.keepersDefault,
};

/** Keeps the input in the form when others change the settings. */
function useSettingsForm(list: KeptList) {
  const [base, setBase] = useState(list);
  const [form, setForm] = useState(() => formOf(list));
  const [typed, setTyped] = useState(nothingTyped);
  const [conflicts, setConflicts] = useState<readonly SettingName[]>([]);

  if (list.version > base.version) {
    const rebased = rebaseForm(form, formOf(base), formOf(list));
    setBase(list);
    setForm(rebased.form);
    // A conflict is shown until the field is saved or edited.
    const still = new Set([...conflicts, ...rebased.conflicts]);
    setConflicts(differing(rebased.form, formOf(list)).filter((name) => still.has(name)));
  }

  const known = formOf(base);
  const pending = withTypedRoles(form, typed);
  return {
    form,
    known,
    typed,
    conflicts,
    isDirty: differing(form, known).length > 0 || typed.readers.trim() !== '' || typed.keepers.trim() !== '',
    /** The form including roles that are typed but not yet added. */
    pending,
    change(changes: Partial<SettingsForm>): void {
      setForm((current) => ({ ...current, ...changes }));
      setConflicts((current) => current.filter((name) => !(name in changes)));
    },
    type: (changes: Partial<Typed>) => setTyped((current) => ({ ...current, ...changes })),
    /** Adds the typed roles to the fields. */
    addTyped(withTyped: SettingsForm): void {
      setForm(withTyped);
      setTyped(nothingTyped);
    },
    reset(): void {
      setForm(known);
      setTyped(nothingTyped);
      setConflicts([]);
    },
    /** Starts again from the saved list. */
    saved(latest: KeptList): void {
      setBase(latest);
      setForm(formOf(latest));
      setTyped(nothingTyped);
      setConflicts([]);
    },
  };
}

/** Returns undefined if a typed role cannot be added. The field says why. */
function withTypedRoles(form: SettingsForm, typed: Typed): SettingsForm | undefined {
  const [readers, keepers] = [addRole(form.readers, typed.readers), addRole(form.keepers, typed.keepers)];
  return typeof readers === 'string' || typeof keepers === 'string' ? undefined : { ...form, readers, keepers };
}
