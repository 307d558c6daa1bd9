// What can be done with several values at once, at the lower edge of the window.
import { CalendarClock, CalendarX, Tag, X } from 'lucide-react';
import { useState } from 'react';
import type { KeptItem } from '../../../src/lookup/lookup-admin.schema.ts';
import { type BulkChange, mostAtOnce } from './bulk-change.ts';
import { Button } from '../../parts/button.tsx';
import { listTexts } from './texts.ts';
import { BulkDialog, type BulkDialogKind } from './bulk-dialog.tsx';

interface BulkBarProps {
  items: readonly KeptItem[];
  /** True when it was saved. */
  onApply: (change: BulkChange) => Promise<boolean>;
  onClear: () => void;
}

export function BulkBar({ items, onApply, onClear }: BulkBarProps) {
  const [dialog, setDialog] = useState<BulkDialogKind>();
  const isTooMany = items.length > mostAtOnce;
  const isNone = (status: KeptItem['status']) => isTooMany || !items.some((item) => item.status === status);
  return (
    <section className="bulk-bar" aria-label={listTexts.selectedValues}>
      <strong aria-live="polite">{listTexts.selected(items.length)}</strong>
      {isTooMany && <span className="fault">{listTexts.tooMany(mostAtOnce)}</span>}
      <Button isDisabled={isNone('active')} onPress={() => void onApply({ kind: 'retire' })}>
        {listTexts.retire}
      </Button>
      <Button isDisabled={isNone('retired')} onPress={() => void onApply({ kind: 'restore' })}>
        {listTexts.restore}
      </Button>
      <Button
        isDisabled={isTooMany}
        icon={<CalendarClock aria-hidden="true" size={16} />}
        onPress={() => setDialog('from')}
      >
        {listTexts.availableFrom}
      </Button>
      <Button
        isDisabled={isTooMany}
        icon={<CalendarX aria-hidden="true" size={16} />}
        onPress={() => setDialog('until')}
      >
        {listTexts.availableUntil}
      </Button>
      <Button isDisabled={isTooMany} icon={<Tag aria-hidden="true" size={16} />} onPress={() => setDialog('tag')}>
        {listTexts.addTag}
      </Button>
      <Button look="icon" aria-label={listTexts.clearSelection} onPress={onClear}>
        <X aria-hidden="true" size={16} />
      </Button>
      {dialog !== undefined && (
        <BulkDialog kind={dialog} items={items} onApply={onApply} onClose={() => setDialog(undefined)} />
      )}
    </section>
  );
}
