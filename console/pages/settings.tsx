import { useList, useLists } from '../data/queries.ts';
import { ListTabs } from '../parts/list-tabs.tsx';
import { LoadingOrError } from '../parts/loading.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { addressOf } from '../routes.ts';
import { settingsTexts as texts } from '../texts/settings.ts';
import { shared } from '../texts/shared.ts';
import { ArchiveSection } from './settings/archive-section.tsx';
import { SettingsFields } from './settings/settings-fields.tsx';

export function SettingsPage({ list }: { list: string }) {
  const kept = useList(list);
  const summaries = useLists();
  const summary = summaries.data?.find((each) => each.list === list);
  const title = kept.data?.title ?? summary?.title ?? list;
  const mayKeep = summary?.mayKeep ?? false;
  return (
    <>
      <PageHeader
        title={title}
        windowTitle={texts.windowTitle(title)}
        back={{ href: addressOf({ page: 'lists' }), name: shared.allLists }}
      />
      <ListTabs list={list} current="settings" mayKeep={mayKeep} />
      <h2 className="unseen">{texts.heading}</h2>
      {kept.data === undefined || summaries.data === undefined ? (
        <LoadingOrError query={kept.data === undefined ? kept : summaries} />
      ) : (
        <div className="settings">
          <SettingsFields key={list} list={kept.data} mayKeep={mayKeep} />
          <ArchiveSection list={kept.data} />
        </div>
      )}
    </>
  );
}
