import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Actions, Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/fields.tsx';
import { shared } from '../../parts/texts.ts';
import type { KeptItem, KeptList } from '../../shell/api.ts';
import { useConsole } from '../../shell/console-context.ts';
import { ErrorNote } from '../../shell/error-note.tsx';
import { askToDiscard, useUnsaved } from '../../shell/unsaved.tsx';
import { itemColumnTexts } from '../columns/texts.ts';
import { useSaveList } from '../saving/use-save-list.ts';
import { sharedListTexts } from '../texts.ts';
import { itemTexts } from './texts.ts';
import { ValueComboBox } from './value-combo-box.tsx';

interface RetireDialogProps {
  list: KeptList;
  item: KeptItem;
  onClose: () => void;
}

/** Asks for a replacement and a reason, then retires the value. */
export function RetireDialog({ list, item, onClose }: RetireDialogProps) {
  const { api } = useConsole();
  const save = useSaveList(list.list);
  const [replacedBy, setReplacedBy] = useState<string | null>(null);
  const [reason, setReason] = useState('');
  const [error, setError] = useState<unknown>(undefined);
  const [isSaving, setSaving] = useState(false);
  const choices = useMemo(
    () => list.items.filter(({ status, value }) => status === 'active' && value !== item.value),
    [list.items, item.value],
  );

  // The service's plan includes the number of dependent values.
  const { list: name } = list;
  const { value, label } = item;
  const { data: children = 0 } = useQuery({
    queryKey: ['children', name, value],
    queryFn: async () => {
      const { changes } = await api.plan({ lists: { [name]: { items: [{ value, label, retired: true }] } } });
      return changes.reduce((sum, change) => sum + (change.children ?? 0), 0);
    },
    gcTime: 0,
    retry: false,
  });

  useUnsaved(reason !== '' || replacedBy !== null);
  const close = async () => {
    if ((reason === '' && replacedBy === null) || (await askToDiscard())) onClose();
  };

  async function retire(): Promise<void> {
    const body = { ...(replacedBy !== null && { replacedBy }), ...(reason.trim() !== '' && { reason: reason.trim() }) };
    setSaving(true);
    setError(undefined);
    try {
      const isSaved = await save({
        done: itemTexts.wasRetired(item.label),
        values: [item.value],
        write: (version) => api.retireItem(list.list, version, item.value, body),
      });
      if (isSaved) onClose();
    } catch (failure) {
      setError(failure);
    } finally {
      setSaving(false);
    }
  }

  return (
    <Dialog title={itemTexts.retireTitle(item.label)} onClose={() => void close()}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          void retire();
        }}
      >
        <p>{itemTexts.retireText}</p>
        {children > 0 && <p role="status">{itemTexts.retireChildren(children)}</p>}
        <ErrorNote error={error} onRetry={() => void retire()} />
        <ValueComboBox
          label={itemColumnTexts.replacedBy}
          hint={itemTexts.replacementHint}
          none={itemTexts.noReplacement}
          items={choices}
          value={replacedBy}
          onChange={setReplacedBy}
        />
        <TextField
          label={sharedListTexts.reason}
          hint={sharedListTexts.reasonHint}
          value={reason}
          onChange={setReason}
        />
        <Actions>
          <Button onPress={() => void close()}>{shared.cancel}</Button>
          <Button type="submit" look="danger" isDisabled={isSaving}>
            {itemTexts.retireAction}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
