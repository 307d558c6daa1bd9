import { useState } from 'react';
import type { KeptItem } from '../data/admin.ts';
import { Field, faultOf } from '../parts/parts.tsx';
import { FormDialog, ReasonField } from './form-dialog.tsx';

interface RetireDialogProps {
  item: KeptItem;
  others: KeptItem[];
  onClose: () => void;
  onSave: (body: { replacedBy?: string; reason?: string }) => Promise<boolean>;
}

export function RetireDialog({ item, others, onClose, onSave }: RetireDialogProps) {
  const [replacedBy, setReplacedBy] = useState('');
  const [reason, setReason] = useState('');
  const save = () => onSave({ ...(replacedBy !== '' && { replacedBy }), ...(reason !== '' && { reason }) });
  return (
    <FormDialog title={`Retire “${item.label}”`} action="Retire" onClose={onClose} onSave={save}>
      {(error) => (
        <>
          <p>Removed from forms. Existing records keep it; you can restore it.</p>
          <Field label="Replaced by" fault={faultOf(error, 'replacedBy')}>
            {(id, note) => (
              <select
                id={id}
                aria-describedby={note}
                value={replacedBy}
                onChange={(event) => setReplacedBy(event.target.value)}
              >
                <option value="">No replacement</option>
                {others.map(({ value, label }) => (
                  <option key={value} value={value} dir="auto">
                    {label}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <ReasonField reason={reason} onChange={setReason} fault={faultOf(error, 'reason')} />
        </>
      )}
    </FormDialog>
  );
}
