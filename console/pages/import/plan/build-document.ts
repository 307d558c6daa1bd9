// Builds the document for the service from a table, with only the rows that differ from the lists. Pure.
import { largestDocumentBytes } from '../../../../src/lookup/rules/list.ts';
import type { Field } from '../../../lists/columns/headers.ts';
import type { DocumentItem, KeptList, LookupDocument } from '../../../shell/api.ts';
import { differenceOf } from './differences.ts';
import type { FaultList } from './faults.ts';
import { findItems } from './find-items.ts';
import type { Pause, TableRows, WantedRow } from './table-rows.ts';
import { importFaultTexts as texts } from './texts.ts';

/** A list with rows in the file. New lists have no `kept`. */
export interface TargetList {
  name: string;
  kept: KeptList | undefined;
}

export interface BuiltDocument {
  document: LookupDocument;
  /**
   * By list, the row that each of the document's items was built from; null for an item that is retired because it is
   * missing from the file.
   */
  sentRows: Map<string, (number | null)[]>;
  /** Number of active items that are not in the file. */
  missing: number;
  /** Number of rows that change nothing. */
  unchanged: number;
}

/**
 * With `retireMissing`, items missing from the file are retired, and retired items that the file contains are restored.
 */
export async function buildDocument(
  table: TableRows,
  targets: readonly TargetList[],
  listOf: (row: WantedRow) => string | undefined,
  retireMissing: boolean,
  pause: Pause,
): Promise<BuiltDocument> {
  const { faults, columnOf } = table;
  const rowsOf = rowsByList(table.rows, targets, listOf, columnOf, faults);
  const built: BuiltDocument = { document: { lists: {} }, sentRows: new Map(), missing: 0, unchanged: 0 };
  for (const { name, kept } of targets) {
    const items: DocumentItem[] = [];
    const sent: (number | null)[] = [];
    const found = await findItems(rowsOf.get(name) ?? [], kept?.items ?? [], columnOf, faults, pause);
    for (const row of found.rows) {
      await pause();
      const isRestored = retireMissing && row.item?.status === 'retired' && !row.fields.has('retired');
      const wanted = isRestored ? { ...row, fields: new Map(row.fields).set('retired', false) } : row;
      const item = differenceOf(wanted, found.valueFor, columnOf, faults);
      if (item === undefined) built.unchanged++;
      else {
        items.push(item);
        sent.push(row.row);
      }
    }
    const inFile = new Set(found.rows.map(({ value }) => value));
    const missing = (kept?.items ?? []).filter(({ value, status }) => status === 'active' && !inFile.has(value));
    built.missing += missing.length;
    if (retireMissing) {
      items.push(...missing.map(({ value, label }) => ({ value, label, retired: true })));
      sent.push(...missing.map(() => null));
    }
    if (items.length === 0 && kept !== undefined) continue;
    built.sentRows.set(name, sent);
    built.document.lists[name] = { ...(kept !== undefined && { version: kept.version }), items };
  }
  return built;
}

function rowsByList(
  rows: readonly WantedRow[],
  targets: readonly TargetList[],
  listOf: (row: WantedRow) => string | undefined,
  columnOf: ReadonlyMap<Field, number>,
  faults: FaultList,
): Map<string, WantedRow[]> {
  const known = new Map(targets.map(({ name }) => [name, [] as WantedRow[]]));
  for (const row of rows) {
    const itsRows = known.get(listOf(row) ?? '');
    if (itsRows !== undefined) itsRows.push(row);
    // A missing list column is reported once, not for each row.
    else if (columnOf.has('list') && !faults.has(row.row)) {
      faults.add(row.row, columnOf.get('list') ?? null, texts.badList(String(row.fields.get('list') ?? '')));
    }
  }
  return known;
}

export interface DocumentSize {
  bytes: number;
  limit: number;
  rows: number;
  /** Estimated number of rows that would fit. */
  rowsThatFit: number;
}

/** Returns undefined if the document is small enough for the service. */
export function tooLargeFor(text: string, { sentRows }: BuiltDocument): DocumentSize | undefined {
  const bytes = new TextEncoder().encode(text).length;
  if (bytes <= largestDocumentBytes) return undefined;
  const rows = Array.from(sentRows.values()).reduce((sum, sent) => sum + sent.length, 0);
  return { bytes, limit: largestDocumentBytes, rows, rowsThatFit: Math.floor((rows * largestDocumentBytes) / bytes) };
}
