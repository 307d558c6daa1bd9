// Runs in a thread: reads a document and plans it without blocking the event loop, one document at a time.

import type { ListValues } from '../changing/parents.ts';
import {
  boundPlan,
  type PlanInput,
  type PlannedDocument,
  parentsElsewhere,
  planLists,
} from '../changing/plan-document.ts';
import { ChangeRefused } from '../rules/change.ts';
import type { KeptList } from '../rules/list.ts';
import { type FileFault, WrongFile } from './faults.ts';
import { expectFewParts, type FileFormat, type ReadDocument, readDocument } from './read-document.ts';

export type ToDocumentWorker =
  | { kind: 'read'; bytes: Uint8Array; format: FileFormat; mirror: boolean | undefined }
  | ({ kind: 'plan'; stored: string } & PlanInput);

export type FromDocumentWorker =
  | { kind: 'read'; names: string[]; parents: ListValues }
  | { kind: 'planned'; planned: PlannedDocument }
  | { kind: 'wrong'; faults: FileFault[]; hasMore: boolean }
  | { kind: 'failed'; error: unknown };

declare const self: Worker;

let current: ReadDocument | undefined;

/** Larger documents would cause more work on the event loop, and make other writers wait longer. */
const [mostItems, mostParents] = [50_000, 50_000];

function expectFewParents(parents: ListValues): void {
  const count = Array.from(parents.values()).reduce((sum, { size }) => sum + size, 0);
  if (count <= mostParents) return;
  const message = `At most ${mostParents} different values of other lists at once: split the document`;
  throw new WrongFile([{ field: 'lists', message, line: 1, column: 1 }]);
}

self.onmessage = async ({ data }: MessageEvent<ToDocumentWorker>) => {
  const answer = await work(data);
  self.postMessage(answer, answer.kind === 'planned' ? [answer.planned.answer.buffer] : []);
};

async function work(message: ToDocumentWorker): Promise<FromDocumentWorker> {
  try {
    if (message.kind === 'read') {
      expectFewParts(message.bytes, message.format);
      current = readDocument(message.bytes, message.format, message.mirror, mostItems);
      const { document } = current;
      const parents = parentsElsewhere(document);
      expectFewParents(parents);
      return { kind: 'read', names: Object.keys(document.lists), parents };
    }
    if (current === undefined) throw new Error('plan before read');
    // Not validated, because document-reader.ts wrote this text, in the same process.
    const stored = JSON.parse(message.stored) as KeptList[];
    const { answer, ...rest } = await planLists(current.document, stored, message);
    return {
      kind: 'planned',
      planned: { ...rest, answer: new TextEncoder().encode(JSON.stringify(boundPlan(answer))) },
    };
  } catch (error) {
    const wrong = error instanceof ChangeRefused ? current?.locate(error.faults) : error;
    if (wrong instanceof WrongFile) return { kind: 'wrong', faults: wrong.faults, hasMore: wrong.hasMore };
    return { kind: 'failed', error };
  }
}
