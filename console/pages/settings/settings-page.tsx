import { ListTabs } from '../../lists/list-tabs.tsx';
import { useList, useLists } from '../../lists/queries.ts';
import { sharedListTexts } from '../../lists/texts.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { addressOf } from '../../routes.ts';
import { LoadingOrError } from '../../shell/loading.tsx';
import { ArchiveSection } from './archive-section.tsx';
import { SettingsFields } from './settings-fields.tsx';
import { settingsTexts as texts } from './texts.ts';

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
        back={{ href: addressOf({ page: 'lists' }), name: sharedListTexts.allLists }}
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
