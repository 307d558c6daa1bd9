import { type FormEvent, type KeyboardEvent, useCallback, useId, useState } from 'react';
import { RetireDialog } from '../../lists/items/retire-dialog.tsx';
import { itemTexts } from '../../lists/items/texts.ts';
import { ListState } from '../../lists/list-header.tsx';
import { useHistory } from '../../lists/queries.ts';
import { ReasonField } from '../../lists/saving/reason-field.tsx';
import { useSaveList } from '../../lists/saving/use-save-list.ts';
import { ValueHistory } from '../../lists/sentences/sentences.tsx';
import { Button } from '../../parts/button.tsx';
import { shared } from '../../parts/texts.ts';
import type { Place } from '../../routes.ts';
import type { HistoryEntry, ItemChanges, KeptItem, KeptList } from '../../shell/api.ts';
import { useConsole } from '../../shell/console-context.ts';
import { ErrorNote } from '../../shell/error-note.tsx';
import { useUnsaved } from '../../shell/unsaved.tsx';
import { changesOf, type ItemForm, mergeBase } from './item-form.ts';
import { CodesSection } from './sections/codes-section.tsx';
import { DatesSection, DetailsSection, FixedValue } from './sections/details-section.tsx';
import { ParentsSection } from './sections/parents-section.tsx';
import { HistorySection } from './sections/section.tsx';
import { TranslationsSection } from './sections/translations-section.tsx';
import { Neighbours, SidePanel, StatusLine } from './side-panel.tsx';
import { valueTexts as texts } from './texts.ts';
import { useValueForm, type ValueForm } from './use-value-form.ts';

interface EditValueProps {
  list: KeptList;
  /** False once the person has lost the right to change the list. */
  mayKeep: boolean;
  item: KeptItem;
  onClose: () => void;
}

export function EditValue({ list, item, mayKeep, onClose }: EditValueProps) {
  const { api } = useConsole();
  const save = useSaveList(list.list);
  const [isRetiring, setRetiring] = useState(false);
  const [opened] = useState(list.version);
  const id = useId();
  const name = list.list;

  async function saveForm(form: ItemForm): Promise<boolean> {
    const base = mergeBase(item, form);
    const reason = form.reason.trim() === '' ? {} : { reason: form.reason.trim() };
    const changes = changesOf(base, form);
    const write = (version: number, chosen: ItemChanges) =>
      api.changeItem(name, version, item.value, { ...chosen, ...reason });
    return save({
      done: texts.wasSaved(changes.label ?? item.label),
      values: [item.value],
      write: (version) => write(version, changes),
      mine: { item: base, since: opened, changes, write },
    });
  }

  const valueForm = useValueForm({ item, items: list.items, save: saveForm });
  const staysAt = useCallback(
    (place: Place | undefined) => place?.page === 'value' && place.list === name && place.value === item.value,
    [name, item.value],
  );
  useUnsaved(valueForm.hasInput, staysAt);

  const restore = () =>
    save.orShowError({
      done: texts.wasRestored(item.label),
      values: [item.value],
      write: (version) => api.restoreItem(name, version, item.value),
    });

  return (
    <SidePanel
      title={<bdi>{item.label}</bdi>}
      tools={<Neighbours list={list} value={item.value} />}
      footer={
        <>
          <SavingError valueForm={valueForm} />
          {!mayKeep ? null : item.status === 'retired' ? (
            <Button onPress={() => void restore()}>{itemTexts.restoreAction}</Button>
          ) : (
            <Button look="danger" onPress={() => setRetiring(true)}>
              {texts.retire}
            </Button>
          )}
          <SaveButton valueForm={valueForm} form={id} mayKeep={mayKeep} />
        </>
      }
      onClose={onClose}
    >
      <ListState list={name} hasForm />
      <StatusLine list={list} item={item} />
      <ChangesNote list={list} value={item.value} hasInput={valueForm.hasInput} />
      <ValueFields valueForm={valueForm} id={id} list={name}>
        <FixedValue value={item.value} />
      </ValueFields>
      <HistorySection list={list} value={item.value} />
      {isRetiring && <RetireDialog list={list} item={item} onClose={() => setRetiring(false)} />}
    </SidePanel>
  );
}

/** Shown next to the button, so that it is visible however far the form is scrolled. */
export function SavingError({ valueForm }: { valueForm: ValueForm }) {
  return <ErrorNote error={valueForm.error} onRetry={() => void valueForm.submit(valueForm.sameLabel !== undefined)} />;
}

export function SaveButton({ valueForm, form, mayKeep }: { valueForm: ValueForm; form: string; mayKeep: boolean }) {
  return (
    <Button
      type="submit"
      form={form}
      look="primary"
      isDisabled={!mayKeep}
      // Not `disabled`: the browser would take the focus from the button, and Escape would no longer reach the panel.
      aria-disabled={!valueForm.hasInput || valueForm.isSaving}
    >
      {valueForm.isSaving ? shared.saving : shared.save}
    </Button>
  );
}

interface ValueFieldsProps {
  valueForm: ValueForm;
  id: string;
  list: string;
  onPasteLines?: (text: string) => void;
  /** An input for a new value, or the text of an existing value. */
  children: React.ReactNode;
}

/** All fields of a value. They are saved by the button, by Enter in a text field, or by Ctrl+Enter anywhere. */
export function ValueFields({ valueForm, id, list, onPasteLines, children }: ValueFieldsProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void valueForm.submit();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    void valueForm.submit();
  };
  return (
    <form
      id={id}
      ref={valueForm.ref}
      className="stack value-form"
      noValidate
      onSubmit={submit}
      onKeyDownCapture={onKeyDown}
    >
      <DetailsSection valueForm={valueForm} list={list} onPasteLines={onPasteLines}>
        {children}
      </DetailsSection>
      <TranslationsSection valueForm={valueForm} />
      <DatesSection valueForm={valueForm} />
      <CodesSection valueForm={valueForm} />
      <ParentsSection valueForm={valueForm} list={list} />
      <ReasonField
        value={valueForm.form.reason}
        fault={valueForm.faults.reason}
        onChange={(reason) => valueForm.change((form) => ({ ...form, reason }), 'reason')}
      />
    </form>
  );
}

interface ChangesNoteProps {
  list: KeptList;
  value: string;
  /** Whether there is unsaved input. */
  hasInput: boolean;
}

/** Shows who changed this value while the panel was open, and how. */
function ChangesNote({ list, value, hasInput }: ChangesNoteProps) {
  const [seen, setSeen] = useState(list.version);
  const entries = useHistory(list.list, { value }).data?.pages[0] ?? [];
  const { me } = useConsole();
  const isNew = ({ version, by }: HistoryEntry) => version > seen && by !== me.sub;
  const others = entries.filter(isNew);
  return (
    <div role="status">
      {others.length > 0 && (
        <div className="note info">
          <div className="note-body">
            <strong>{texts.changedMeanwhile}</strong>
            <ValueHistory entries={others} list={list} />
            {hasInput && <p>{texts.typedStays}</p>}
          </div>
          <Button look="plain" onPress={() => setSeen(list.version)}>
            {texts.gotIt}
          </Button>
        </div>
      )}
    </div>
  );
}
