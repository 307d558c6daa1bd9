// Importing a file: into one list, or into those that a column names.
import type { ListSummary } from '../data/api.ts';
import { useList, useLists } from '../data/queries.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { ExportMenu } from '../parts/export-menu.tsx';
import { useMayKeep } from '../parts/list-state.tsx';
import { ListTabs } from '../parts/list-tabs.tsx';
import { LoadingOrError } from '../parts/loading.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { addressOf } from '../routes.ts';
import { importTexts as texts } from '../texts/import.ts';
import { shared } from '../texts/shared.ts';
import { CheckStep } from './import/check-step.tsx';
import { ColumnsStep } from './import/columns-step.tsx';
import { FileStep } from './import/file-step.tsx';
import { Steps } from './import/steps.tsx';
import { useImport } from './import/use-import.ts';

export function ImportPage({ list }: { list?: string }) {
  const lists = useLists();
  if (lists.data === undefined) {
    return (
      <>
        <PageHeader title={texts.title} />
        <LoadingOrError query={lists} />
      </>
    );
  }
  return list === undefined ? (
    <ImportIntoSeveral lists={lists.data} />
  ) : (
    <ImportIntoList list={list} lists={lists.data} />
  );
}

function ImportIntoList({ list, lists }: { list: string; lists: ListSummary[] }) {
  const query = useList(list);
  const summary = lists.find((each) => each.list === list);
  const title = summary?.title ?? query.data?.title ?? list;
  const { mayKeep, couldKeep } = useMayKeep(list);
  return (
    <>
      <PageHeader
        title={title}
        windowTitle={texts.titleOf(title)}
        back={{ href: addressOf({ page: 'lists' }), name: shared.allLists }}
      >
        <ExportMenu list={list} />
      </PageHeader>
      <ListTabs list={list} current="list-import" mayKeep={mayKeep} />
      {query.data === undefined ? (
        <LoadingOrError query={query} />
      ) : couldKeep ? (
        <ImportSteps list={list} lists={lists} kept={query.data} />
      ) : (
        <EmptyState title={shared.noPermission} />
      )}
    </>
  );
}

function ImportIntoSeveral({ lists }: { lists: ListSummary[] }) {
  return (
    <>
      <PageHeader title={texts.title} back={{ href: addressOf({ page: 'lists' }), name: shared.allLists }} />
      {lists.some(({ mayKeep }) => mayKeep) ? (
        <ImportSteps lists={lists} />
      ) : (
        <EmptyState title={shared.noPermission} />
      )}
    </>
  );
}

type ImportStepsProps = { list?: string; lists: ListSummary[]; kept?: Parameters<typeof useImport>[2] };

function ImportSteps({ list, lists, kept }: ImportStepsProps) {
  const work = useImport(list, lists, kept);
  const { step } = work.state;
  return (
    <>
      <Steps current={step} />
      {step === 'file' && <FileStep work={work} list={list} />}
      {step === 'columns' && <ColumnsStep work={work} list={list} lists={lists} kept={kept} />}
      {step === 'check' && <CheckStep work={work} list={list} lists={lists} />}
    </>
  );
}
