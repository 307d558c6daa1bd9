// The state of an import: reading a file, confirming its columns, showing its changes and applying them.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { keys } from '../../lists/queries.ts';
import { isVersionConflict } from '../../lists/saving/save-list.ts';
import { csvSeparator } from '../../parts/catalogue.ts';
import { download } from '../../parts/download.ts';
import { fetchConsoleFile, type KeptList, type ListSummary } from '../../shell/api.ts';
import { navigate, useConsole } from '../../shell/console-context.ts';
import { useUnsaved } from '../../shell/unsaved.tsx';
import { type ReadFile, withCell } from './file/cells.ts';
import { readInWorker } from './file/read-in-worker.ts';
import { applyPlan, PlanOutdated } from './plan/apply-plan.ts';
import { type Choices, choicesForSheet, firstChoices, rowsOf } from './plan/choices.ts';
import { csvOfRows } from './plan/faults.ts';
import {
  type FoundFaults,
  type PlanOutcome,
  type PlanSource,
  planDocument,
  planOtherRows,
  planTable,
} from './plan/make-plan.ts';
import { importTexts as texts } from './texts.ts';

export interface ImportState {
  step: 'file' | 'columns' | 'check';
  fileName: string;
  file: ReadFile | undefined;
  /** Undefined for a YAML or JSON document, which the service parses. */
  choices: Choices | undefined;
  retireMissing: boolean;
  reason: string;
  outcome: PlanOutcome | undefined;
  working: 'reading' | 'checking' | 'applying' | undefined;
  error: unknown;
  /** Whether the list has changed since the plan was shown. */
  hasChanged: boolean;
  /** Whether the user has typed, corrected or chosen something that would be lost. */
  hasInput: boolean;
  /** The faults whose rows are left out. They are shown again when the user goes back. */
  leftOut: FoundFaults | undefined;
}

const nothingYet: ImportState = {
  ...{ step: 'file', fileName: '', file: undefined, choices: undefined, retireMissing: false, reason: '' },
  ...{ outcome: undefined, working: undefined, error: undefined, hasChanged: false },
  ...{ hasInput: false, leftOut: undefined },
};

const startWorker = () => new Worker('console/read-file.worker.js', { type: 'module' });
/** Lets the browser render the message before the work starts. */
const nextFrame = () => new Promise((resolve) => setTimeout(resolve, 20));

export type Import = ReturnType<typeof useImport>;

/** `list` is undefined for an import into several lists. The systems of codes are read from `kept`. */
export function useImport(list: string | undefined, lists: readonly ListSummary[], kept: KeptList | undefined) {
  const { api, me } = useConsole();
  const client = useQueryClient();
  const [state, setState] = useState(nothingYet);
  const patch = (change: Partial<ImportState>) => setState((now) => ({ ...now, ...change }));
  /** Aborts the work in progress: if other work starts, or if the user starts again or leaves the page. */
  const running = useRef<AbortController>(undefined);
  // The chosen file does not count as unsaved input, because the user can choose it again.
  useUnsaved(state.hasInput || state.reason !== '');
  useEffect(() => () => running.current?.abort(), []);

  const known = {
    systems: new Set((kept?.items ?? []).flatMap(({ codes }) => Object.keys(codes))),
    lists,
  };
  const source: PlanSource = {
    api,
    lists,
    load: (name, isFresh) =>
      client.fetchQuery({
        queryKey: keys.list(name),
        queryFn: ({ signal }) => api.list(name, signal),
        ...(isFresh && { staleTime: 0 }),
      }),
  };

  async function run(what: ImportState['working'], act: (signal: AbortSignal) => Promise<void>): Promise<void> {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    patch({ working: what, error: undefined });
    try {
      await act(controller.signal);
    } catch (error) {
      if (!controller.signal.aborted) patch({ error });
    } finally {
      if (running.current === controller) patch({ working: undefined });
    }
  }

  const lastChosen = useRef<File>(undefined);
  function choose(chosen: File): void {
    lastChosen.current = chosen;
    setState({ ...nothingYet, fileName: chosen.name });
    void run('reading', async (signal) => {
      await fetchConsoleFile('read-file.worker.js');
      const file = await readInWorker(chosen, startWorker, signal);
      if (file.kind === 'document') return plan(signal, { ...nothingYet, fileName: chosen.name, file });
      patch({ file, choices: firstChoices(file, known, list ?? null), step: 'columns' });
    });
  }

  async function plan(signal: AbortSignal, wanted: ImportState, hasChanged = false): Promise<void> {
    const { file, choices, retireMissing, hasInput, leftOut } = wanted;
    if (file === undefined) return;
    patch({ file, retireMissing, hasInput, leftOut, working: 'checking' });
    await nextFrame();
    const outcome =
      file.kind === 'document'
        ? await planDocument(source, file, retireMissing)
        : choices &&
          (leftOut === undefined
            ? await planTable(source, file, choices, retireMissing)
            : await planOtherRows(source, file, choices, leftOut.badRows));
    if (signal.aborted || outcome === undefined) return;
    const isPlanned = outcome.kind === 'planned';
    patch({ outcome, hasChanged, step: isPlanned ? 'check' : file.kind === 'document' ? 'file' : 'columns' });
    if (!isPlanned) patch({ leftOut: undefined });
  }

  /** Writes the typed text into a cell of the file and checks the file again. The step does not change. */
  function correct(row: number, column: number, text: string): void {
    const { file, choices } = state;
    if (file?.kind !== 'table' || choices === undefined) return;
    const corrected = withCell(file, choices.sheet, row, column, text);
    patch({ file: corrected, hasInput: true });
    void run('checking', async (signal) => {
      await nextFrame();
      const outcome = await planTable(source, corrected, choices, false);
      if (!signal.aborted) patch({ outcome });
    });
  }

  function importOthers(): void {
    const { outcome } = state;
    if (outcome?.kind !== 'faults') return;
    void run('checking', (signal) => plan(signal, { ...state, retireMissing: false, leftOut: outcome }));
  }

  function downloadLeftOut(): void {
    const { file, choices, outcome, fileName } = state;
    if (file?.kind !== 'table' || choices === undefined || outcome?.kind !== 'planned') return;
    const { sheet, headerRow, columns } = choices;
    const table = { rows: rowsOf(file, sheet), headerRow, columns, isFrom1904: file.isFrom1904 };
    const text = csvOfRows(outcome.planned.leftOut ?? new Map(), table, csvSeparator);
    download(new Blob([text], { type: 'text/csv' }), `${fileName.replace(/\.\w+$/, '')}-${texts.leftOutFile}.csv`);
  }

  function apply(): void {
    const { outcome, reason } = state;
    if (outcome?.kind !== 'planned') return;
    void run('applying', async (signal) => {
      try {
        await applyPlan({ api, client, source, planned: outcome.planned, reason, mine: me.sub });
      } catch (error) {
        if (!(error instanceof PlanOutdated) && !isVersionConflict(error)) throw error;
        return plan(signal, state, true);
      }
      // Reset first, so that leaving does not ask about unsaved input.
      flushSync(() => setState(nothingYet));
      navigate(list === undefined ? { page: 'lists' } : { page: 'list', list });
    });
  }

  const planAgain = useEffectEvent(() => {
    const { outcome, step, working } = state;
    if (outcome?.kind !== 'planned' || step !== 'check' || working !== undefined) return;
    const versions = new Map(lists.map(({ list: name, version }) => [name, version]));
    const isOld = [...outcome.planned.before].some(
      ([name, before]) => (versions.get(name) ?? 0) > (before?.version ?? 0),
    );
    if (isOld) void run('checking', (signal) => plan(signal, state, true));
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever the lists change
  useEffect(() => planAgain(), [lists]);

  return {
    state,
    known,
    choose,
    correct,
    importOthers,
    downloadLeftOut,
    /** Reads the last chosen file again after a failure, such as a lost connection. */
    chooseAgain: () => lastChosen.current && choose(lastChosen.current),
    apply,
    check: () => void run('checking', (signal) => plan(signal, { ...state, leftOut: undefined })),
    setChoices: (change: Partial<Choices>) =>
      setState((now) =>
        now.choices ? { ...now, choices: { ...now.choices, ...change }, outcome: undefined, hasInput: true } : now,
      ),
    setSheet(sheet: number) {
      const { file, choices } = state;
      if (file?.kind !== 'table' || choices === undefined) return;
      patch({ choices: choicesForSheet(file, sheet, known, choices.list), outcome: undefined, hasInput: true });
    },
    setRetireMissing: (retireMissing: boolean) =>
      void run('checking', (signal) => plan(signal, { ...state, retireMissing })),
    setReason: (reason: string) => patch({ reason }),
    /** Goes back one step and keeps the choices. Rows that were left out are shown with their faults again. */
    back() {
      const step = state.step === 'check' && state.choices ? 'columns' : 'file';
      patch({ step, error: undefined, ...(state.leftOut && { outcome: state.leftOut, leftOut: undefined }) });
    },
    startAgain() {
      running.current?.abort();
      setState(nothingYet);
    },
  };
}
