import { type FormEvent, type KeyboardEvent, useCallback, useId, useState } from 'react';
import { useConsole } from '../../shell/console-context.ts';
import type { ItemChanges, KeptItem, KeptList } from '../../shell/api.ts';
import { begunItem, changesOf, type ItemForm } from './item-form.ts';
import { useUnsaved } from '../../shell/unsaved.ts';
import { useSaveList } from '../../lists/saving/use-save-list.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorNote } from '../../shell/error-note.tsx';
import { ListState } from '../../lists/list-state.tsx';
import { SidePanel } from '../../parts/side-panel.tsx';
import type { Place } from '../../routes.ts';
import { shared } from '../../parts/texts.ts';
import { valueTexts as texts } from './texts.ts';
import { RetireDialog } from '../../lists/items/retire-dialog.tsx';
import { CodesSection } from './codes-section.tsx';
import { DatesSection, DetailsSection, FixedValue, ReasonField } from './details-section.tsx';
import { HistorySection } from './history-section.tsx';
import { MeanwhileNote } from './meanwhile-note.tsx';
import { Neighbours } from './neighbours.tsx';
import { ParentsSection } from './parents-section.tsx';
import { StatusLine } from './status-line.tsx';
import { TranslationsSection } from './translations-section.tsx';
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
    const begun = begunItem(item, form);
    const reason = form.reason.trim() === '' ? {} : { reason: form.reason.trim() };
    const changes = changesOf(begun, form);
    const write = (version: number, chosen: ItemChanges) =>
      api.changeItem(name, version, item.value, { ...chosen, ...reason });
    return save({
      done: texts.wasSaved(changes.label ?? item.label),
      values: [item.value],
      write: (version) => write(version, changes),
      mine: { item: begun, since: opened, changes, write },
    });
  }

  const of = useValueForm({ item, save: saveForm });
  const staysAt = useCallback(
    (place: Place | undefined) => place?.page === 'value' && place.list === name && place.value === item.value,
    [name, item.value],
  );
  useUnsaved(of.isTyped, staysAt);

  const restore = () =>
    save.orTell({
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
          <SavingError of={of} />
          {!mayKeep ? null : item.status === 'retired' ? (
            <Button onPress={() => void restore()}>{texts.restore}</Button>
          ) : (
            <Button look="danger" onPress={() => setRetiring(true)}>
              {texts.retire}
            </Button>
          )}
          <SaveButton of={of} form={id} mayKeep={mayKeep} />
        </>
      }
      onClose={onClose}
    >
      <ListState list={name} hasForm />
      <StatusLine list={list} item={item} />
      <MeanwhileNote list={list} value={item.value} isTyped={of.isTyped} />
      <ValueFields of={of} id={id} list={name}>
        <FixedValue value={item.value} />
      </ValueFields>
      <HistorySection list={list} value={item.value} />
      {isRetiring && <RetireDialog list={list} item={item} onClose={() => setRetiring(false)} />}
    </SidePanel>
  );
}

/** Beside the button, where it is seen however far the form has scrolled. */
export function SavingError({ of }: { of: ValueForm }) {
  return <ErrorNote error={of.error} onRetry={() => void of.submit()} />;
}

export function SaveButton({ of, form, mayKeep }: { of: ValueForm; form: string; mayKeep: boolean }) {
  return (
    <Button type="submit" form={form} look="primary" isDisabled={!of.isTyped || of.isSaving || !mayKeep}>
      {of.isSaving ? shared.saving : shared.save}
    </Button>
  );
}

interface ValueFieldsProps {
  of: ValueForm;
  id: string;
  list: string;
  /** The value: typed, or as it is. */
  children: React.ReactNode;
}

/** All fields of a value. Saved with the button, Enter in a line of text, and Ctrl+Enter anywhere. */
export function ValueFields({ of, id, list, children }: ValueFieldsProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void of.submit();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    void of.submit();
  };
  return (
    <form id={id} ref={of.ref} className="form value-form" noValidate onSubmit={submit} onKeyDownCapture={onKeyDown}>
      <DetailsSection of={of}>{children}</DetailsSection>
      <TranslationsSection of={of} />
      <DatesSection of={of} />
      <CodesSection of={of} />
      <ParentsSection of={of} list={list} />
      <ReasonField of={of} />
    </form>
  );
}
