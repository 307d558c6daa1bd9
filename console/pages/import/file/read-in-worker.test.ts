import { expect, test } from 'bun:test';
import type { ReadFile } from './cells.ts';
import { UnreadableFile } from './limits.ts';
import { type ReadAnswer, readInWorker } from './read-in-worker.ts';

const file = new File(['Label'], 'a.csv');
const limits = { fileBytes: 10, seconds: 60 };
const never = new AbortController().signal;

/** A worker that replies with these answers. */
function fakeWorker(answers: ReadAnswer[]) {
  const worker = {
    hasEnded: false,
    onmessage: (_: { data: ReadAnswer }) => {},
    onerror: () => {},
    postMessage() {
      for (const data of answers) queueMicrotask(() => worker.onmessage({ data }));
    },
    terminate() {
      worker.hasEnded = true;
    },
  };
  return worker;
}
const read = (worker: object, options = limits, signal = never) =>
  readInWorker(file, () => worker as Worker, signal, options);
const whyNot = (reading: Promise<ReadFile>) =>
  reading.then(
    () => undefined,
    (error: unknown) => (error instanceof UnreadableFile ? error.why : error),
  );

test('a table is assembled from its parts, and the worker is terminated', async () => {
  const worker = fakeWorker([
    { file: { kind: 'table', sheets: [{ name: 'a', rows: [] }], isFrom1904: false } },
    { sheet: 0, rows: [['Label']] },
    { sheet: 0, rows: [['Clerk']] },
    { isDone: true },
  ]);
  expect(await read(worker)).toEqual({
    kind: 'table',
    sheets: [{ name: 'a', rows: [['Label'], ['Clerk']] }],
    isFrom1904: false,
  });
  expect(worker.hasEnded).toBe(true);
});

test('a worker that takes too long is terminated with an error', async () => {
  const worker = fakeWorker([]);
  expect(await whyNot(read(worker, { ...limits, seconds: 0.01 }))).toEqual({ reason: 'too-slow', limit: 0.01 });
  expect(worker.hasEnded).toBe(true);
});

test('cancelling terminates the worker', async () => {
  const controller = new AbortController();
  const worker = fakeWorker([]);
  worker.postMessage = () => controller.abort('another file');
  expect(await whyNot(read(worker, limits, controller.signal))).toBe('another file');
  expect(worker.hasEnded).toBe(true);
});

test('a file that is too large is refused before it is loaded', async () => {
  let isLoaded = false;
  const arrayBuffer = async () => {
    isLoaded = true;
    return new ArrayBuffer(11);
  };
  const large = { name: 'a.csv', size: 11, arrayBuffer };
  const reading = readInWorker(large, () => fakeWorker([]) as unknown as Worker, never, limits);
  expect(await whyNot(reading)).toEqual({ reason: 'file-too-large', bytes: 11, limit: 10 });
  expect(isLoaded).toBe(false);
});
