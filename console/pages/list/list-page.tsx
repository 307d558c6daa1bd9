// The page of a list: the grid of its values, and the preview of a day.
import { CalendarDays, Inbox, Lock, Plus, Upload } from 'lucide-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { authorName } from '../../lists/actor.ts';
import { ExportMenu } from '../../lists/export/export-menu.tsx';
import { hasSeveralLines } from '../../lists/items/pasted-values.ts';
import { backToLists, ListHeader } from '../../lists/list-header.tsx';
import { useList, useSummary } from '../../lists/queries.ts';
import { ownVersions } from '../../lists/saving/use-save-list.ts';
import { sharedListTexts, shownDescription, shownTitle } from '../../lists/texts.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { EmptyState, Note, PageHeader } from '../../parts/content.tsx';
import { addressOf } from '../../routes.ts';
import type { KeptList } from '../../shell/api.ts';
import { Boundary, part } from '../../shell/boundary.tsx';
import { useConsole } from '../../shell/console-context.ts';
import { LoadingOrError } from '../../shell/loading.tsx';
import { showInfo } from '../../shell/toasts.ts';
import { DayDialog, DayPreview } from './day-preview.tsx';
import { ListValues } from './list-values.tsx';
import { listTexts } from './texts.ts';

export function ListPage({ list }: { list: string }) {
  const query = useList(list);
  const summary = useSummary(list);
  useColleaguesChanges(list, query.data?.version);
  if (query.data === undefined) {
    return (
      <>
        <PageHeader title={summary === undefined ? list : shownTitle(summary)} back={backToLists} />
        <LoadingOrError query={query} lines={10} />
      </>
    );
  }
  // Actions are offered only after the rights are known.
  return <LoadedList kept={query.data} mayKeep={summary?.mayKeep ?? false} isKnown={summary !== undefined} />;
}

interface LoadedListProps {
  kept: KeptList;
  mayKeep: boolean;
  isKnown: boolean;
}

function LoadedList({ kept, mayKeep, isKnown }: LoadedListProps) {
  const { list, items, version } = kept;
  const description = shownDescription(kept);
  const [day, setDay] = useState<string>();
  const [isAskingDay, setAskingDay] = useState(false);
  const [pasted, setPasted] = useState<string>();
  usePastedLines(mayKeep, setPasted);
  return (
    <>
      <ListHeader
        list={list}
        current="list"
        {...(description !== null && { text: <span dir="auto">{description}</span> })}
      >
        {items.length > 0 && (
          <Button icon={<CalendarDays aria-hidden="true" size={16} />} onPress={() => setAskingDay(true)}>
            {listTexts.previewDay}
          </Button>
        )}
        <ExportMenu list={list} />
        {mayKeep && <AddLink list={list} />}
      </ListHeader>
      {isKnown && !mayKeep && (
        <Note tone="warning" Icon={Lock}>
          {listTexts.readOnly}
        </Note>
      )}
      {day !== undefined && <DayPreview list={list} version={version} day={day} onEnd={() => setDay(undefined)} />}
      {/* Hidden rather than removed, to keep the filters and a label that is being typed. */}
      <div hidden={day !== undefined}>
        {items.length === 0 ? (
          <EmptyList list={list} mayKeep={mayKeep} />
        ) : (
          <ListValues kept={kept} mayKeep={mayKeep} />
        )}
      </div>
      {pasted !== undefined && (
        <Boundary onClose={() => setPasted(undefined)}>
          <Suspense>
            <AddValuesDialog list={kept} text={pasted} onClose={() => setPasted(undefined)} />
          </Suspense>
        </Boundary>
      )}
      {isAskingDay && (
        <DayDialog
          onPick={(picked) => {
            setDay(picked);
            setAskingDay(false);
          }}
          onClose={() => setAskingDay(false)}
        />
      )}
    </>
  );
}

// Loaded when needed, because it includes the transliteration tables.
const AddValuesDialog = part(async () => (await import('../../lists/items/add-values-dialog.tsx')).AddValuesDialog);

/** Several lines pasted onto the page, not into a field or a dialog, are values to add. */
function usePastedLines(mayKeep: boolean, onPaste: (text: string) => void): void {
  useEffect(() => {
    if (!mayKeep) return;
    const listen = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData('text/plain') ?? '';
      const target = event.target as HTMLElement;
      const isElsewhere =
        target.closest('input:not([type=checkbox]), textarea, select, [contenteditable]') !== null ||
        document.querySelector('.overlay') !== null;
      if (isElsewhere || !hasSeveralLines(text)) return;
      event.preventDefault();
      onPaste(text);
    };
    document.addEventListener('paste', listen);
    return () => document.removeEventListener('paste', listen);
  }, [mayKeep, onPaste]);
}

const AddLink = ({ list }: { list: string }) => (
  <ButtonLink look="primary" href={addressOf({ page: 'new-value', list })} icon={<Plus aria-hidden="true" size={16} />}>
    {listTexts.addValue}
  </ButtonLink>
);

function EmptyList({ list, mayKeep }: { list: string; mayKeep: boolean }) {
  return (
    <EmptyState
      icon={<Inbox aria-hidden="true" size={28} />}
      title={sharedListTexts.noValues}
      {...(mayKeep && { text: listTexts.emptyText })}
    >
      {mayKeep && (
        <>
          <AddLink list={list} />
          <ButtonLink href={addressOf({ page: 'list-import', list })} icon={<Upload aria-hidden="true" size={16} />}>
            {listTexts.importValues}
          </ButtonLink>
        </>
      )}
    </EmptyState>
  );
}

/** When a list is loaded again after a while, its older changes must not be announced as made “just now”. */
const isRecent = (at: string) => Date.now() - Date.parse(at) < 120_000;

/** Announces who changed the list while it is shown. */
function useColleaguesChanges(list: string, version: number | undefined): void {
  const { api, me } = useConsole();
  const known = useRef(version);
  useEffect(() => {
    const before = known.current;
    known.current = version;
    if (before === undefined || version === undefined || version <= before) return;
    if (ownVersions.get(list)?.has(version)) return;
    api.history(list, { before: version + 1, limit: 1 }).then(
      ([entry]) => {
        if (entry !== undefined && entry.by !== me.sub && isRecent(entry.at))
          showInfo(listTexts.updatedBy(authorName(entry)));
      },
      // A failure is not shown: the author can also be found in the history.
      () => {},
    );
  }, [api, list, version, me.sub]);
}
