import { useId, useMemo, useState } from 'react';
import { emptyItem } from '../../../src/lookup/rules/item.ts';
import { itemColumnTexts } from '../../lists/columns/texts.ts';
import { AddValuesDialog } from '../../lists/items/add-values-dialog.tsx';
import { itemTexts } from '../../lists/items/texts.ts';
import { typedValue, valueFromLabel } from '../../lists/items/value-from-label.ts';
import { ListState } from '../../lists/list-header.tsx';
import { useSaveList } from '../../lists/saving/use-save-list.ts';
import { TextField } from '../../parts/fields.tsx';
import type { KeptList } from '../../shell/api.ts';
import { useConsole } from '../../shell/console-context.ts';
import { useUnsaved } from '../../shell/unsaved.tsx';
import { SaveButton, SavingError, ValueFields } from './edit-value.tsx';
import { type ItemForm, newItemOf } from './item-form.ts';
import { SidePanel } from './side-panel.tsx';
import { valueTexts as texts } from './texts.ts';
import { useValueForm } from './use-value-form.ts';

interface NewValueProps {
  list: KeptList;
  /** False once the person has lost the right to change the list. */
  mayKeep: boolean;
  onClose: () => void;
}

export function NewValue({ list, mayKeep, onClose }: NewValueProps) {
  const { api } = useConsole();
  const save = useSaveList(list.list);
  const [pasted, setPasted] = useState<string>();
  const id = useId();
  const taken = useMemo(() => new Set(list.items.map(({ value }) => value)), [list.items]);

  const proposedValue = (form: ItemForm) => form.value ?? valueFromLabel(String(form.edits.label?.to ?? ''), taken);

  async function saveForm(form: ItemForm): Promise<boolean> {
    const item = newItemOf(proposedValue(form), form);
    const reason = form.reason.trim() === '' ? {} : { reason: form.reason.trim() };
    const isSaved = await save({
      done: itemTexts.wasAdded(item.label),
      values: [item.value],
      write: (version) => api.addItem(list.list, version, { ...item, ...reason }),
    });
    // The panel stays open for the next value.
    if (isSaved) valueForm.ref.current?.querySelector('input')?.focus();
    return isSaved;
  }

  const valueForm = useValueForm({
    item: emptyItem,
    items: list.items,
    added: (form) => ({ value: proposedValue(form), taken }),
    save: saveForm,
  });
  useUnsaved(valueForm.hasInput, isNewValue);

  return (
    <SidePanel
      title={texts.newValue}
      footer={
        <>
          <SavingError valueForm={valueForm} />
          <SaveButton valueForm={valueForm} form={id} mayKeep={mayKeep} />
        </>
      }
      onClose={onClose}
    >
      <ListState list={list.list} hasForm />
      <ValueFields valueForm={valueForm} id={id} list={list.list} onPasteLines={setPasted}>
        <TextField
          label={itemColumnTexts.value}
          hint={texts.valueHint}
          dir="ltr"
          isRequired
          validationBehavior="aria"
          value={proposedValue(valueForm.form)}
          fault={valueForm.faults.value}
          onChange={(text) => valueForm.change((form) => ({ ...form, value: typedValue(text) }), 'value')}
        />
      </ValueFields>
      {pasted !== undefined && (
        <AddValuesDialog
          list={list}
          text={pasted}
          onClose={(isSaved) => {
            setPasted(undefined);
            if (isSaved && !valueForm.hasInput) onClose();
          }}
        />
      )}
    </SidePanel>
  );
}

const isNewValue = (place: { page: string } | undefined) => place?.page === 'new-value';
