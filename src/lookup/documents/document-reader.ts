// Reads and plans documents in threads: a few at a time, while others wait in a queue. Each step has a time limit.
import { startThread } from '../../base/executable.ts';
import { Problem } from '../../http/problem.ts';
import type { PlannableDocument } from '../changing/plan-document.ts';
import { keptListText } from '../stored/kept-list-answer.ts';
import type { FromDocumentWorker, ToDocumentWorker } from './document-worker.ts';
import { WrongFile } from './faults.ts';
import type { FileFormat } from './read-document.ts';

export interface DocumentReader {
  /** Reads a document and passes it to `use`. Reads at most one document of each person at a time. */
  read<T>(document: SentDocument, use: (document: PlannableDocument) => Promise<T>): Promise<T>;
  close(): void;
}

interface SentDocument {
  bytes: Uint8Array;
  format: FileFormat;
  person: string;
  /** Overrides `mirror` in the document. */
  mirror?: boolean | undefined;
}

export interface DocumentReaderOptions {
  /** Maximum number of documents read at the same time. */
  atOnce?: number;
  /** Maximum length of the queue, in total and for one person. */
  waiting?: number;
  waitingOfPerson?: number;
  /** Time limit for each step of a document. If a step takes longer, its thread is terminated. */
  longestMs?: number;
  /** A thread without a document ends after this time, which frees its memory. */
  idleMs?: number;
  startWorker?: () => Worker;
}

const largeBytes = 256 * 1024;

export function createDocumentReader({
  atOnce = 2,
  waiting = 16,
  waitingOfPerson = 3,
  longestMs = 15_000,
  idleMs = 30_000,
  startWorker = () => startThread('lookup/documents/document-worker'),
}: DocumentReaderOptions = {}): DocumentReader {
  const idle: DocumentThread[] = [];
  /** The people whose documents are being read, and whether each document is large. */
  const reading = new Map<string, boolean>();
  const queue: { person: string; isLarge: boolean; start: () => void }[] = [];
  let isClosed = false;

  /**
   * Starts the next document of a person who has no other document being read, so that nobody can occupy every thread.
   * Large documents, which take a hundred times their size in memory, are read one at a time.
   */
  function startNext(): void {
    while (reading.size < atOnce) {
      const hasLarge = [...reading.values()].includes(true);
      const next = queue.findIndex(({ person, isLarge }) => !reading.has(person) && !(isLarge && hasLarge));
      const [turn] = next === -1 ? [] : queue.splice(next, 1);
      if (turn === undefined) return;
      reading.set(turn.person, turn.isLarge);
      turn.start();
    }
  }

  async function waitForTurn(person: string, isLarge: boolean): Promise<void> {
    const ofPerson = queue.filter((each) => each.person === person).length;
    if (queue.length >= waiting || ofPerson >= waitingOfPerson) throw new Problem('documents-busy');
    await new Promise<void>((start) => {
      queue.push({ person, isLarge, start });
      startNext();
    });
  }

  return {
    async read({ bytes, format, person, mirror }, use) {
      await waitForTurn(person, bytes.length > largeBytes);
      const thread = idle.pop() ?? createThread(startWorker(), longestMs);
      try {
        const { names, parents } = await thread.ask({ kind: 'read', bytes, format, mirror }, 'read');
        return await use({
          names,
          parents,
          async plan(stored, given) {
            // The lists are sent as text, because copying them object by object would take several times as long.
            const texts: string[] = [];
            for (const list of stored) texts.push(await keptListText(list));
            const question = { kind: 'plan', stored: `[${texts.join(',')}]`, ...given } as const;
            return (await thread.ask(question, 'planned')).planned;
          },
        });
      } finally {
        reading.delete(person);
        if (isClosed || !thread.isAlive()) thread.end();
        else {
          idle.push(thread);
          thread.endAfter(idleMs, () => idle.splice(idle.indexOf(thread), 1));
        }
        startNext();
      }
    },
    close() {
      isClosed = true;
      for (const thread of idle.splice(0)) thread.end();
    },
  };
}

type Kind = FromDocumentWorker['kind'];
type AnswerOf<K extends Kind> = Extract<FromDocumentWorker, { kind: K }>;
const isOfKind = <K extends Kind>(answer: FromDocumentWorker, kind: K): answer is AnswerOf<K> => answer.kind === kind;

interface DocumentThread {
  ask<K extends Kind>(question: ToDocumentWorker, expected: K): Promise<AnswerOf<K>>;
  isAlive(): boolean;
  end(): void;
  endAfter(milliseconds: number, ended: () => void): void;
}

function createThread(worker: Worker, longestMs: number): DocumentThread {
  let isAlive = true;
  let idling: ReturnType<typeof setTimeout> | undefined;
  let fail: (error: unknown) => void = () => {};
  // The thread must not keep the process alive.
  worker.unref();
  const die = (error: unknown) => {
    isAlive = false;
    fail(error);
  };
  worker.addEventListener('error', ({ message }) => die(new Error('the document thread failed', { cause: message })));
  worker.addEventListener('close', () => die(new Error('the document thread ended')));

  const end = () => {
    isAlive = false;
    clearTimeout(idling);
    worker.terminate();
  };

  async function answerTo(question: ToDocumentWorker): Promise<FromDocumentWorker> {
    const { promise, resolve, reject } = Promise.withResolvers<FromDocumentWorker>();
    fail = reject;
    worker.onmessage = ({ data }: MessageEvent<FromDocumentWorker>) => resolve(data);
    const deadline = setTimeout(() => {
      reject(new Problem('document-too-slow', { reason: `${question.kind} took longer than ${longestMs} ms` }));
      end();
    }, longestMs);
    try {
      worker.postMessage(question);
      return await promise;
    } finally {
      clearTimeout(deadline);
    }
  }

  return {
    async ask(question, expected) {
      clearTimeout(idling);
      const answer = await answerTo(question);
      if (answer.kind === 'wrong') throw new WrongFile(answer.faults, answer.hasMore);
      if (isOfKind(answer, expected)) return answer;
      throw answer.kind === 'failed' ? answer.error : new Error('the document thread sent an unexpected answer');
    },
    isAlive: () => isAlive,
    end,
    endAfter(milliseconds, ended) {
      idling = setTimeout(() => {
        ended();
        end();
      }, milliseconds);
      idling.unref();
    },
  };
}
