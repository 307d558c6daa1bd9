// Previews the list as forms would show it on a chosen day.
import { useQuery } from '@tanstack/react-query';
import { CalendarDays } from 'lucide-react';
import { useRef, useState } from 'react';
import type { LookupItem } from '../../../client/src/index.ts';
import { Button } from '../../parts/button.tsx';
import { EmptyState } from '../../parts/content.tsx';
import { DayField } from '../../parts/day-field.tsx';
import { Actions, Dialog } from '../../parts/dialog.tsx';
import { formatDay } from '../../parts/format.tsx';
import { shared } from '../../parts/texts.ts';
import { useConsole } from '../../shell/console-context.ts';
import { LoadingOrError } from '../../shell/loading.tsx';
import { useRowHeight, useRowWindow } from './grid/use-row-window.ts';
import { listTexts } from './texts.ts';

interface DayPreviewProps {
  list: string;
  /** The list's version, so that the preview is loaded again after a change. */
  version: number;
  day: string;
  onEnd: () => void;
}

export function DayPreview({ list, version, day, onEnd }: DayPreviewProps) {
  const { desk } = useConsole();
  const query = useQuery({
    queryKey: ['as-of', list, day, version],
    queryFn: async ({ signal }) => {
      const response = await desk.request(`/employee/${encodeURIComponent(list)}?asOf=${day}`, { signal });
      return (await response.json()) as LookupItem[];
    },
    placeholderData: (previous) => previous,
  });
  return (
    <>
      <div className="note info preview-banner" role="status">
        <CalendarDays aria-hidden="true" size={18} />
        <div className="note-body">
          <strong>{listTexts.previewing(formatDay(day))}</strong>
          {query.data !== undefined && <p>{listTexts.previewText(query.data.length)}</p>}
        </div>
        <Button onPress={onEnd}>{listTexts.endPreview}</Button>
      </div>
      {query.data === undefined ? <LoadingOrError query={query} /> : <PreviewItems items={query.data} />}
    </>
  );
}

function PreviewItems({ items }: { items: readonly LookupItem[] }) {
  const body = useRef<HTMLOListElement>(null);
  const rowHeight = useRowHeight(false);
  const { first, end } = useRowWindow(body, items.length, rowHeight);
  if (items.length === 0) return <EmptyState title={listTexts.previewEmpty} />;
  return (
    <ol ref={body} className="boxed preview-items" style={{ height: items.length * rowHeight }}>
      {items.slice(first, end).map(({ value, label }, index) => (
        <li
          key={value}
          aria-setsize={items.length}
          aria-posinset={first + index + 1}
          style={{ transform: `translateY(${(first + index) * rowHeight}px)` }}
        >
          <span dir="auto">{label}</span>
          <code>{value}</code>
        </li>
      ))}
    </ol>
  );
}

export function DayDialog({ onPick, onClose }: { onPick: (day: string) => void; onClose: () => void }) {
  const [day, setDay] = useState<string | null>(null);
  return (
    <Dialog title={listTexts.previewDay} onClose={onClose}>
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (day !== null) onPick(day);
        }}
      >
        <DayField label={listTexts.day} value={day} onChange={setDay} />
        <Actions>
          <Button onPress={onClose}>{shared.cancel}</Button>
          <Button look="primary" type="submit" isDisabled={day === null}>
            {listTexts.showPreview}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
