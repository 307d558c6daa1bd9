// The translations of a list: a grid of its values by language.
import { Languages } from 'lucide-react';
import { useList, useLists } from '../../lists/queries.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ListTabs } from '../../lists/list-tabs.tsx';
import { LoadingOrError } from '../../shell/loading.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { addressOf } from '../../routes.ts';
import { shared } from '../../parts/texts.ts';
import { translationTexts } from './texts.ts';
import { Translations } from './translations.tsx';

export function TranslationsPage({ list }: { list: string }) {
  const lists = useLists();
  const query = useList(list);
  const summary = lists.data?.find((each) => each.list === list);
  const title = query.data?.title ?? summary?.title ?? list;
  return (
    <>
      <PageHeader
        title={title}
        windowTitle={translationTexts.windowTitle(title)}
        back={{ href: addressOf({ page: 'lists' }), name: shared.allLists }}
      />
      <ListTabs list={list} current="translations" mayKeep={summary?.mayKeep ?? false} />
      {query.data === undefined && <LoadingOrError query={query} />}
      {query.data !== undefined &&
        (query.data.items.length === 0 ? (
          <EmptyState icon={<Languages aria-hidden="true" />} title={translationTexts.noValues} />
        ) : (
          <Translations key={list} list={query.data} isReadOnly={summary?.mayKeep === false} />
        ))}
    </>
  );
}
