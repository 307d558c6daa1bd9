// Imports a file into one list, or into the lists that a column names.
import { ExportMenu } from '../../lists/export/export-menu.tsx';
import { backToLists, ListHeader, useMayKeep } from '../../lists/list-header.tsx';
import { useList, useLists } from '../../lists/queries.ts';
import { sharedListTexts } from '../../lists/texts.ts';
import { EmptyState, PageHeader } from '../../parts/content.tsx';
import type { ListSummary } from '../../shell/api.ts';
import { LoadingOrError } from '../../shell/loading.tsx';
import { shellTexts } from '../../shell/texts.ts';
import { CheckStep } from './check-step.tsx';
import { ColumnsStep } from './columns-step.tsx';
import { FileStep } from './file-step.tsx';
import { importTexts as texts } from './texts.ts';
import { type ImportState, useImport } from './use-import.ts';

export function ImportPage({ list }: { list?: string }) {
  const lists = useLists();
  if (lists.data === undefined) {
    return (
      <>
        <PageHeader title={sharedListTexts.import} />
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
  const { couldKeep } = useMayKeep(list);
  return (
    <>
      <ListHeader list={list} current="list-import" windowTitle={texts.titleOf}>
        <ExportMenu list={list} />
      </ListHeader>
      {query.data === undefined ? (
        <LoadingOrError query={query} />
      ) : couldKeep ? (
        <ImportSteps list={list} lists={lists} kept={query.data} />
      ) : (
        <EmptyState title={shellTexts.noPermission} />
      )}
    </>
  );
}

function ImportIntoSeveral({ lists }: { lists: ListSummary[] }) {
  return (
    <>
      <PageHeader title={sharedListTexts.import} back={backToLists} />
      {lists.some(({ mayKeep }) => mayKeep) ? (
        <ImportSteps lists={lists} />
      ) : (
        <EmptyState title={shellTexts.noPermission} />
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

const steps: [ImportState['step'], string][] = [
  ['file', texts.stepFile],
  ['columns', texts.stepColumns],
  ['check', texts.stepCheck],
];

/** Shows all steps and highlights the current one. */
function Steps({ current }: { current: ImportState['step'] }) {
  return (
    <ol className="steps" aria-label={texts.steps}>
      {steps.map(([step, name]) => (
        <li key={step} {...(step === current && { 'aria-current': 'step' as const })}>
          {name}
        </li>
      ))}
    </ol>
  );
}
