// One list: its values, in a grid, and a preview of a day.
import { CalendarDays, Inbox, Lock, Plus, Upload } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { KeptList } from '../../shell/api.ts';
import { useList, useLists } from '../../lists/queries.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ExportMenu } from '../../lists/export/export-menu.tsx';
import { ListTabs } from '../../lists/list-tabs.tsx';
import { LoadingOrError } from '../../shell/loading.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { addressOf } from '../../routes.ts';
import { listTexts } from './texts.ts';
import { shared } from '../../parts/texts.ts';
import { DayDialog, DayPreview } from './day-preview.tsx';
import { ListValues } from './list-values.tsx';
import { useColleaguesChanges } from './use-colleagues-changes.ts';

export function ListPage({ list }: { list: string }) {
  const query = useList(list);
  const summary = useLists().data?.find((each) => each.list === list);
  useColleaguesChanges(list, query.data?.version);
  const back = { href: addressOf({ page: 'lists' }), name: shared.allLists };
  if (query.data === undefined) {
    return (
      <>
        <PageHeader title={summary?.title ?? list} back={back} />
        <LoadingOrError query={query} lines={10} />
      </>
    );
  }
  // Until it is known who may change it, nobody is offered to.
  return (
    <LoadedList kept={query.data} mayKeep={summary?.mayKeep ?? false} isKnown={summary !== undefined} back={back} />
  );
}

interface LoadedListProps {
  kept: KeptList;
  mayKeep: boolean;
  isKnown: boolean;
  back: { href: string; name: string };
}

function LoadedList({ kept, mayKeep, isKnown, back }: LoadedListProps) {
  const { list, title, description, items, version } = kept;
  const [day, setDay] = useState<string>();
  const [isAskingDay, setAskingDay] = useState(false);
  return (
    <>
      <PageHeader
        title={title}
        back={back}
        {...(description !== null && { text: <span dir="auto">{description}</span> })}
      >
        {items.length > 0 && (
          <Button icon={<CalendarDays aria-hidden="true" size={16} />} onPress={() => setAskingDay(true)}>
            {listTexts.previewDay}
          </Button>
        )}
        <ExportMenu list={list} />
        {mayKeep && <AddLink list={list} />}
      </PageHeader>
      <ListTabs list={list} current="list" mayKeep={mayKeep} />
      {isKnown && !mayKeep && <Banner icon={<Lock aria-hidden="true" size={18} />}>{listTexts.readOnly}</Banner>}
      {day !== undefined && <DayPreview list={list} version={version} day={day} onEnd={() => setDay(undefined)} />}
      {/* Hidden and not removed: a label may be being typed, and filters are kept. */}
      <div hidden={day !== undefined}>
        {items.length === 0 ? (
          <EmptyList list={list} mayKeep={mayKeep} />
        ) : (
          <ListValues kept={kept} mayKeep={mayKeep} />
        )}
      </div>
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

const AddLink = ({ list }: { list: string }) => (
  <ButtonLink look="primary" href={addressOf({ page: 'new-value', list })} icon={<Plus aria-hidden="true" size={16} />}>
    {listTexts.addValue}
  </ButtonLink>
);

const Banner = ({ icon, children }: { icon: ReactNode; children: string }) => (
  <div className="note warning">
    {icon}
    <div className="note-body">{children}</div>
  </div>
);

function EmptyList({ list, mayKeep }: { list: string; mayKeep: boolean }) {
  return (
    <EmptyState
      icon={<Inbox aria-hidden="true" size={28} />}
      title={listTexts.empty}
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
