// Turns a file and the user's choices into a plan. First the console checks the file, then the service does.

import { FrontdeskError } from '../../../../client/src/index.ts';
import { isListName } from '../../../../src/lookup/rules/names.ts';
import { plainLabel } from '../../../lists/columns/headers.ts';
import { isVersionConflict } from '../../../lists/saving/save-list.ts';
import type { Api, DocumentBody, KeptList, ListSummary, Plan } from '../../../shell/api.ts';
import { translateSentence } from '../../../shell/service/service-sentences.ts';
import type { DocumentFile, TableFile } from '../file/cells.ts';
import { importTexts } from '../texts.ts';
import {
  type BuiltDocument,
  buildDocument,
  type DocumentSize,
  type TargetList,
  tooLargeFor,
} from './build-document.ts';
import { type Choices, dayOrdersOf, rowsOf } from './choices.ts';
import { addToRow, type BadRows, type ImportFault, inFileOrder, placeFaults } from './faults.ts';
import { createPauses, readTable, type TableRows, type WantedRow } from './table-rows.ts';

export interface Planned {
  /** The first changes, and the total number of changes. */
  plan: Plan;
  /** Undefined if there is nothing to send. */
  body: DocumentBody | undefined;
  mirror: boolean;
  /** Whether the document names the versions of the lists, so that the service refuses it after a list has changed. */
  hasVersions: boolean;
  /** The lists that the file was compared with; undefined for new lists. */
  before: Map<string, KeptList | undefined>;
  /** Number of active values missing from the file; null if the service parses the file. */
  missing: number | null;
  unchanged: number;
  /** The rows that are not imported because of their faults. */
  leftOut?: BadRows | undefined;
}

export interface FoundFaults {
  kind: 'faults';
  faults: ImportFault[];
  count: number;
  badRows: BadRows;
  /** Number of rows that can be imported if the faulty rows are left out; 0 if leaving them out does not help. */
  otherRows: number;
}

export type PlanOutcome =
  | { kind: 'planned'; planned: Planned }
  | FoundFaults
  | { kind: 'too-large'; size: DocumentSize };

export interface PlanSource {
  api: Api;
  lists: readonly ListSummary[];
  /** `isFresh` bypasses the cache. */
  load: (list: string, isFresh: boolean) => Promise<KeptList>;
}

const maxLists = 200;
/** Maximum number of attempts. Planning fails only if someone else saves first each time. */
const maxTries = 5;

export async function planTable(
  source: PlanSource,
  file: TableFile,
  choices: Choices,
  retireMissing: boolean,
  leftOut?: BadRows,
): Promise<PlanOutcome> {
  const options = {
    leftOut,
    dayOrders: dayOrdersOf(file, choices),
    isFrom1904: file.isFrom1904,
    emptyClears: choices.emptyClears,
    needsList: choices.list === null,
  };
  const pause = createPauses();
  const read = () => readTable(rowsOf(file, choices.sheet), choices.headerRow, choices.columns, options, pause);
  const listOf = listFinder(source.lists, choices.list);
  for (let tries = 1; ; tries++) {
    const table = await read();
    const names = [...new Set(table.rows.map(listOf))].filter((name) => name !== undefined);
    if (names.length > maxLists) {
      const message = importTexts.tooManyLists(names.length, maxLists);
      return faultsOf([{ row: null, column: null, message }]);
    }
    const targets = await loadTargets(source, names, tries > 1);
    // If rows are left out, no value is retired as missing, because it may be in a left-out row that cannot be read.
    const built = await buildDocument(table, targets, listOf, retireMissing && leftOut === undefined, pause);
    if (table.faults.count > 0) {
      const { faults, count, rows: badRows, isOutsideRows } = table.faults;
      const otherRows = isOutsideRows ? 0 : table.rows.length - badRows.size;
      return { kind: 'faults', faults: inFileOrder(faults), count, badRows, otherRows };
    }
    try {
      const outcome = await askService(source.api, built, table, targets);
      if (outcome.kind !== 'planned' || leftOut === undefined) return outcome;
      return { kind: 'planned', planned: { ...outcome.planned, missing: 0, leftOut } };
    } catch (error) {
      // If a list has a newer version, the lists are loaded again.
      if (!isVersionConflict(error) || tries === maxTries) throw error;
    }
  }
}

/**
 * Maximum number of rounds. One may not be enough: other rows may refer to left-out rows, and the service reports only
 * the first faults.
 */
const maxRounds = 20;

/** Plans the rows that have no fault. Rows that need a left-out row are left out as well. */
export async function planOtherRows(
  source: PlanSource,
  file: TableFile,
  choices: Choices,
  badRows: BadRows,
): Promise<PlanOutcome> {
  const leftOut: BadRows = new Map(badRows);
  for (let rounds = 1; ; rounds++) {
    const outcome = await planTable(source, file, choices, false, leftOut);
    if (outcome.kind !== 'faults' || outcome.otherRows === 0 || rounds === maxRounds) return outcome;
    for (const [row, faults] of outcome.badRows) leftOut.set(row, faults);
  }
}

/** `rowCount` is the number of rows that were sent; 0 if the faulty ones cannot be left out. */
function faultsOf(faults: ImportFault[], rowCount = 0): FoundFaults {
  const badRows: BadRows = new Map();
  for (const fault of faults) addToRow(badRows, fault);
  const canLeaveOut = faults.every(({ row }) => row !== null);
  return {
    kind: 'faults',
    faults,
    count: faults.length,
    badRows,
    otherRows: canLeaveOut ? Math.max(0, rowCount - badRows.size) : 0,
  };
}

/** Finds the list of a row by name, or by title in any language. A new list needs a valid name. */
function listFinder(lists: readonly ListSummary[], list: string | null): (row: WantedRow) => string | undefined {
  if (list !== null) return () => list;
  const byText = new Map([
    ...lists.flatMap(({ list: name, titles }) =>
      Object.values(titles).map((title) => [plainLabel(title), name] as const),
    ),
    ...lists.map(({ list: name, title }) => [plainLabel(title), name] as const),
    ...lists.map(({ list: name }) => [name, name] as const),
  ]);
  return ({ fields }) => {
    const text = String(fields.get('list') ?? '');
    return byText.get(text) ?? byText.get(plainLabel(text)) ?? (isListName(text) ? text : undefined);
  };
}

/** Maximum number of concurrent requests. */
const maxConcurrent = 6;

async function loadTargets(
  { lists, load }: PlanSource,
  names: readonly string[],
  isFresh: boolean,
): Promise<TargetList[]> {
  const existing = new Set(lists.map(({ list }) => list));
  const targets: TargetList[] = [];
  for (let at = 0; at < names.length; at += maxConcurrent) {
    const loaded = names.slice(at, at + maxConcurrent).map(async (name) => ({
      name,
      kept: existing.has(name) ? await load(name, isFresh) : undefined,
    }));
    targets.push(...(await Promise.all(loaded)));
  }
  return targets;
}

async function askService(
  api: Api,
  built: BuiltDocument,
  table: TableRows,
  targets: readonly TargetList[],
): Promise<PlanOutcome> {
  const before = new Map(targets.map(({ name, kept }) => [name, kept]));
  const result = { before, mirror: false, hasVersions: true, missing: built.missing, unchanged: built.unchanged };
  if (Object.keys(built.document.lists).length === 0) {
    return { kind: 'planned', planned: { ...result, plan: { changes: [], counts: {} }, body: undefined } };
  }
  const text = JSON.stringify(built.document);
  const size = tooLargeFor(text, built);
  if (size !== undefined) return { kind: 'too-large', size };
  const body: DocumentBody = { type: 'application/json', text };
  try {
    return { kind: 'planned', planned: { ...result, plan: await api.plan(body), body } };
  } catch (error) {
    if (!(error instanceof FrontdeskError) || error.errors.length === 0) throw error;
    const faults = error.errors.map(({ field, message }) => ({ field, message: translateSentence(message) }));
    return faultsOf(placeFaults(faults, built.sentRows, table.columnOf), table.rows.length);
  }
}

/** Plans a file that the service parses. Its faults have line numbers. */
export async function planDocument(
  { api, lists, load }: PlanSource,
  { type, text }: DocumentFile,
  mirror: boolean,
): Promise<PlanOutcome> {
  try {
    const body: DocumentBody = { type, text };
    const plan = await api.plan(body, mirror ? { mirror } : {});
    const existing = new Set(lists.map(({ list }) => list));
    const before = new Map<string, KeptList | undefined>();
    for (const list of Object.keys(plan.counts)) {
      before.set(list, existing.has(list) ? await load(list, true) : undefined);
    }
    return {
      kind: 'planned',
      planned: { plan, body, mirror, hasVersions: false, before, missing: null, unchanged: 0 },
    };
  } catch (error) {
    if (!(error instanceof FrontdeskError) || error.errors.length === 0) throw error;
    const faults = error.errors.map(({ message, line }) => ({
      row: line ?? null,
      column: null,
      message: translateSentence(message),
    }));
    return faultsOf(faults);
  }
}
