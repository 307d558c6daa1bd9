import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Actions, Dialog } from '../../parts/dialog.tsx';
import { shared } from '../../parts/texts.ts';
import type { KeptItem, KeptList } from '../../shell/api.ts';
import { useConsole } from '../../shell/console-context.ts';
import { ErrorNote } from '../../shell/error-note.tsx';
import { useClosing } from '../../shell/unsaved.tsx';
import { itemColumnTexts } from '../columns/texts.ts';
import { ReasonField } from '../saving/reason-field.tsx';
import { useSaveList } from '../saving/use-save-list.ts';
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
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const choices = useMemo(
    () => list.items.filter(({ status, value }) => status === 'active' && value !== item.value),
    [list.items, item.value],
  );

  // The number of dependent values comes from the service's plan for retiring this value.
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

  const close = useClosing(reason !== '' || typed.trim() !== '', onClose);
  const retire = useMutation({
    mutationFn: () => {
      const why = reason.trim();
      const body = { ...(replacedBy !== null && { replacedBy }), ...(why !== '' && { reason: why }) };
      return save({
        done: itemTexts.wasRetired(label),
        values: [value],
        write: (version) => api.retireItem(name, version, value, body),
      });
    },
    onSuccess: (isSaved) => isSaved && onClose(),
  });

  return (
    <Dialog title={itemTexts.retireTitle(label)} onClose={close}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          retire.mutate();
        }}
      >
        <p>{itemTexts.retireText}</p>
        {children > 0 && <p role="status">{itemTexts.retireChildren(children)}</p>}
        <ErrorNote error={retire.error} onRetry={() => retire.mutate()} />
        <ValueComboBox
          label={itemColumnTexts.replacedBy}
          hint={itemTexts.replacementHint}
          none={itemTexts.noReplacement}
          items={choices}
          value={replacedBy}
          onChange={setReplacedBy}
          onType={setTyped}
        />
        <ReasonField value={reason} onChange={setReason} />
        <Actions>
          <Button onPress={close}>{shared.cancel}</Button>
          <Button type="submit" look="danger" isPending={retire.isPending}>
            {itemTexts.retireAction}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
