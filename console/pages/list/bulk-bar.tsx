// The bar for changing several selected values at once, at the bottom of the window.

import { CalendarClock, CalendarX, Tag, X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { isMachineName } from '../../../src/lookup/rules/names.ts';
import { itemColumnTexts } from '../../lists/columns/texts.ts';
import { itemTexts } from '../../lists/items/texts.ts';
import { Button } from '../../parts/button.tsx';
import { DayField } from '../../parts/day-field.tsx';
import { Actions, Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/fields.tsx';
import { shared } from '../../parts/texts.ts';
import type { KeptItem } from '../../shell/api.ts';
import { shellTexts } from '../../shell/texts.ts';
import { useClosing } from '../../shell/unsaved.tsx';
import { type BulkChange, maxAtOnce, withDatesInReverse } from './bulk-change.ts';
import { listTexts } from './texts.ts';

interface BulkBarProps {
  items: readonly KeptItem[];
  /** Resolves to true if the change was saved. */
  onApply: (change: BulkChange) => Promise<boolean>;
  onClear: () => void;
}

export function BulkBar({ items, onApply, onClear }: BulkBarProps) {
  const [dialog, setDialog] = useState<BulkDialogKind>();
  const isTooMany = items.length > maxAtOnce;
  const isNone = (status: KeptItem['status']) => isTooMany || !items.some((item) => item.status === status);
  return (
    <section className="bulk-bar" aria-label={listTexts.selectedValues}>
      <strong aria-live="polite">{listTexts.selected(items.length)}</strong>
      {isTooMany && <span className="fault">{listTexts.tooMany(maxAtOnce)}</span>}
      <Button isDisabled={isNone('active')} onPress={() => void onApply({ kind: 'retire' })}>
        {itemTexts.retireAction}
      </Button>
      <Button isDisabled={isNone('retired')} onPress={() => void onApply({ kind: 'restore' })}>
        {itemTexts.restoreAction}
      </Button>
      {dialogs.map(([kind, Icon]) => (
        <Button
          key={kind}
          isDisabled={isTooMany}
          icon={<Icon aria-hidden="true" size={16} />}
          onPress={() => setDialog(kind)}
        >
          {titles[kind]}
        </Button>
      ))}
      <Button look="icon" aria-label={listTexts.clearSelection} onPress={onClear}>
        <X aria-hidden="true" size={16} />
      </Button>
      {dialog !== undefined && (
        <BulkDialog kind={dialog} items={items} onApply={onApply} onClose={() => setDialog(undefined)} />
      )}
    </section>
  );
}

type BulkDialogKind = 'from' | 'until' | 'tag';

interface BulkDialogProps {
  kind: BulkDialogKind;
  items: readonly KeptItem[];
  onApply: (change: BulkChange) => Promise<boolean>;
  onClose: () => void;
}

const dialogs = [
  ['from', CalendarClock],
  ['until', CalendarX],
  ['tag', Tag],
] as const;
const titles = { from: itemColumnTexts.validFrom, until: itemColumnTexts.validTo, tag: listTexts.addTag };
/** Maximum number of names in a sentence. */
const maxNamed = 5;

/** Asks for the day or tag to set on the selected values. */
function BulkDialog({ kind, items, onApply, onClose }: BulkDialogProps) {
  const [day, setDay] = useState<string | null>(null);
  const [tag, setTag] = useState('');
  const [fault, setFault] = useState<string>();
  const close = useClosing(tag !== '' || day !== null, onClose);
  const change: BulkChange = kind === 'tag' ? { kind, tag: tag.trim() } : { kind, day };

  async function apply(event: FormEvent): Promise<void> {
    event.preventDefault();
    const found = faultOf(change, items);
    setFault(found);
    if (found === undefined && (await onApply(change))) onClose();
  }

  return (
    <Dialog title={titles[kind]} onClose={close}>
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
          <Button onPress={close}>{shared.cancel}</Button>
          <Button look="primary" type="submit">
            {listTexts.applyTo(items.length)}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}

function faultOf(change: BulkChange, items: readonly KeptItem[]): string | undefined {
  if (change.kind === 'tag') return isMachineName(change.tag) ? undefined : listTexts.tagFault;
  const wrong = withDatesInReverse(items, change).map(({ label }) => label);
  if (wrong.length === 0) return undefined;
  const more = wrong.length > maxNamed ? [shellTexts.andMore(String(wrong.length - maxNamed))] : [];
  return listTexts.datesInReverse([...wrong.slice(0, maxNamed), ...more].join(', '));
}
