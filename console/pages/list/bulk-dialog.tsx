// The day or the tag that several values get.
import { type FormEvent, useState } from 'react';
import type { KeptItem } from '../../../src/lookup/lookup-admin.schema.ts';
import { type BulkChange, tagPattern, withDatesInReverse } from './bulk-change.ts';
import { askToDiscard, useUnsaved } from '../../shell/unsaved.ts';
import { Button } from '../../parts/button.tsx';
import { DayField } from '../../parts/day-field.tsx';
import { Actions, Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/fields.tsx';
import { listTexts } from './texts.ts';
import { shared } from '../../parts/texts.ts';

export type BulkDialogKind = 'from' | 'until' | 'tag';

interface BulkDialogProps {
  kind: BulkDialogKind;
  items: readonly KeptItem[];
  onApply: (change: BulkChange) => Promise<boolean>;
  onClose: () => void;
}

const titles = { from: listTexts.availableFrom, until: listTexts.availableUntil, tag: listTexts.addTag };
/** So many are named in a sentence. */
const mostNamed = 5;

export function BulkDialog({ kind, items, onApply, onClose }: BulkDialogProps) {
  const [day, setDay] = useState<string | null>(null);
  const [tag, setTag] = useState('');
  const [fault, setFault] = useState<string>();
  const isDirty = tag !== '' || day !== null;
  useUnsaved(isDirty);
  const change: BulkChange = kind === 'tag' ? { kind, tag: tag.trim() } : { kind, day };

  async function apply(event: FormEvent): Promise<void> {
    event.preventDefault();
    const found = faultOf(change, items);
    setFault(found);
    if (found === undefined && (await onApply(change))) onClose();
  }

  async function close(): Promise<void> {
    if (!isDirty || (await askToDiscard())) onClose();
  }

  return (
    <Dialog title={titles[kind]} onClose={() => void close()}>
      <form className="stack" onSubmit={(event) => void apply(event)} noValidate>
        {kind === 'tag' ? (
          <TextField
            label={listTexts.tag}
            hint={listTexts.tagHint}
            value={tag}
            onChange={setTag}
            fault={fault}
            dir="ltr"
            autoFocus
          />
        ) : (
          <DayField
            label={titles[kind]}
            hint={kind === 'from' ? listTexts.noFirstDay : listTexts.noLastDay}
            value={day}
            onChange={setDay}
            fault={fault}
          />
        )}
        <Actions>
          <Button onPress={() => void close()}>{shared.cancel}</Button>
          <Button look="primary" type="submit">
            {listTexts.applyTo(items.length)}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}

function faultOf(change: BulkChange, items: readonly KeptItem[]): string | undefined {
  if (change.kind === 'tag') return tagPattern.test(change.tag) ? undefined : listTexts.tagFault;
  const wrong = withDatesInReverse(items, change).map(({ label }) => label);
  if (wrong.length === 0) return undefined;
  const more = wrong.length > mostNamed ? [shared.andMore(String(wrong.length - mostNamed))] : [];
  return listTexts.datesInReverse([...wrong.slice(0, mostNamed), ...more].join(', '));
}
