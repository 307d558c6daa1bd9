// Documents are read in threads that are limited in time and number, and end when they are idle.
import { describe, expect, test } from 'bun:test';
import { shapes } from '../../../test/support/document-shapes.ts';
import { isThorough } from '../../../test/support/thorough.ts';
import { longestWaitMs } from '../../../test/support/waiting.ts';
import { Problem } from '../../http/problem.ts';
import type { PlannableDocument } from '../changing/plan-document.ts';
import { largestDocumentBytes } from '../rules/list.ts';
import { createDocumentReader, type DocumentReader, type DocumentReaderOptions } from './document-reader.ts';
import { WrongFile } from './faults.ts';

const formats = { 'application/yaml': 'yaml', 'application/json': 'json', 'text/csv': 'csv' } as const;
const bytesOf = (text: string) => new TextEncoder().encode(text);
const small = { bytes: bytesOf('lists: { a: { items: [{ value: A, label: a }] } }'), format: 'yaml' as const };
const planned = async (document: PlannableDocument) =>
  JSON.parse(
    new TextDecoder().decode((await document.plan([], { known: new Map(), firstId: 1, now: new Date() })).answer),
  ) as {
    changes: object[];
  };

/** The outcome: the number of changes, `faults`, the code of a problem, or the message of another error. */
const outcomeOf = (reading: Promise<{ changes: object[] }>) =>
  reading.then(
    ({ changes }) => `${changes.length} changes`,
    (error: unknown) =>
      error instanceof WrongFile ? 'faults' : error instanceof Problem ? error.code : (error as Error).message,
  );

async function withReader(options: DocumentReaderOptions, act: (reader: DocumentReader) => Promise<void>) {
  const reader = createDocumentReader(options);
  await act(reader);
  reader.close();
}

const workerOf = (script: string) => () => new Worker(URL.createObjectURL(new Blob([script])));
const realWorker = () => new Worker(new URL('./document-worker.ts', import.meta.url));

// An eighth of the size is enough to reveal quadratic work, and takes a fraction of the time.
const [size, longestMs] = isThorough ? [256 * 1024, 10_000] : [32 * 1024, 1000];

describe('a large document of any shape takes less processor time than the deadline allows', () => {
  // On a busy machine everything takes many times as long, so processor time is measured, not elapsed time.
  const reader = createDocumentReader({ longestMs: longestWaitMs });
  test.each(shapes.map((shape) => [shape.name, shape] as const))('%s', async (_, { type, make, isFine = false }) => {
    const bytes = bytesOf(make(size));
    expect(bytes.length).toBeWithin(0.75 * size, size + 1);
    const before = process.cpuUsage();
    const outcome = await outcomeOf(reader.read({ bytes, format: formats[type], person: 'a' }, planned));
    expect(outcome).toMatch(isFine ? /^\d+ changes$/ : /^faults$/);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(longestMs);
  });
});

describe('a thread that', () => {
  const broken = {
    hangs: { script: 'self.onmessage = () => { for (;;); }', outcome: 'document-too-slow' },
    'ends by itself': { script: 'self.onmessage = () => process.exit(1)', outcome: 'the document thread ended' },
    throws: { script: 'self.onmessage = () => { throw new Error("x") }', outcome: 'the document thread failed' },
    'sends an unexpected answer': {
      script: 'self.onmessage = () => self.postMessage({ kind: "planned" })',
      outcome: 'the document thread sent an unexpected answer',
    },
  };
  test.each(Object.entries(broken))('%s makes its document fail, and the next document is read', async (_, row) => {
    let started = 0;
    const startWorker = () => (++started === 1 ? workerOf(row.script)() : realWorker());
    // Long enough for a real document on a busy machine, short enough to wait for.
    await withReader({ startWorker, longestMs: 3000, atOnce: 1 }, async (reader) => {
      const [first, second] = await Promise.all([
        outcomeOf(reader.read({ ...small, person: 'a' }, planned)),
        outcomeOf(reader.read({ ...small, person: 'b' }, planned)),
      ]);
      const later = row.outcome === 'the document thread sent an unexpected answer' ? second : '2 changes';
      expect([first, second]).toEqual([row.outcome, later]);
    });
  });

  test('has nothing to do ends', async () => {
    const ended = Promise.withResolvers<void>();
    const startWorker = () => {
      const worker = realWorker();
      worker.addEventListener('close', () => ended.resolve());
      return worker;
    };
    await withReader({ startWorker, idleMs: 1 }, async (reader) => {
      expect(await outcomeOf(reader.read({ ...small, person: 'a' }, planned))).toBe('2 changes');
      await ended.promise;
      expect(await outcomeOf(reader.read({ ...small, person: 'a' }, planned))).toBe('2 changes');
    });
  });

  test('waits for the next document does not keep the process from ending', async () => {
    const script = `
      import { createDocumentReader } from ${JSON.stringify(new URL('./document-reader.ts', import.meta.url).href)};
      const sent = { bytes: new TextEncoder().encode('lists: {}'), format: 'yaml', person: 'a' };
      await createDocumentReader({ idleMs: 600_000 }).read(sent, async () => console.log('read'));`;
    const child = Bun.spawn([process.execPath, '--no-env-file', '-e', script], { stdout: 'pipe' });
    expect([await new Response(child.stdout).text(), await child.exited]).toEqual(['read\n', 0]);
  });
});

describe('a document that would take too much memory, or hold up others, is refused:', () => {
  const faultOf = async (format: 'yaml' | 'json' | 'csv', text: string) => {
    const reader = createDocumentReader({ longestMs: longestWaitMs });
    const reading = reader.read({ bytes: bytesOf(text), format, person: 'a' }, planned);
    const fault = await reading.then(
      ({ changes }) => `${changes.length} changes`,
      (error: unknown) => (error instanceof WrongFile ? error.faults.map(({ message }) => message).join() : error),
    );
    reader.close();
    return fault;
  };
  const rows = (count: number) => Array.from({ length: count }, (_, index) => `a,V${index},x\n`).join('');
  const parents = (count: number) =>
    Array.from({ length: count / 100 }, (_, row) => {
      const values = Array.from({ length: 100 }, (_, index) => `P${row * 100 + index}`);
      return `a,V${row},x,${values.join(' ')}\n`;
    }).join('');
  const tooMany = 'Too many values at once: split the document';

  test.each([
    [
      'more than 50,000 items',
      'csv',
      () => `list,value,label\n${rows(50_001)}`,
      'At most 50000 items at once: split the document',
    ],
    [
      'more than 50,000 values of other lists',
      'csv',
      () => `list,value,label,parent:b\n${parents(50_100)}`,
      'At most 50000 different values of other lists at once: split the document',
    ],
    ['more than 500,000 parts in YAML', 'yaml', () => `a: [${'?,'.repeat(250_000)}]`, tooMany],
    ['more than 600,000 parts in JSON', 'json', () => `[${'0,'.repeat(600_000)}0]`, tooMany],
    ['more than 1,000,000 parts in CSV', 'csv', () => `list,value,label\n${','.repeat(1_000_000)}`, tooMany],
  ] as const)('%s', async (_, format, make, outcome) => {
    const text = make();
    expect(text.length).toBeLessThan(largestDocumentBytes);
    expect(await faultOf(format, text)).toBe(outcome);
  });
});

describe('if there are many documents', () => {
  /** Holds a document until it is released. `read` resolves when the document is being read. */
  function hold(reader: DocumentReader, person: string, bytes = small.bytes) {
    const [read, released] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
    const done = reader.read({ ...small, bytes, person }, async () => {
      read.resolve(person);
      await released.promise;
    });
    return { read: read.promise, release: released.resolve, done };
  }

  test('at most one document of each person is read at a time, so that nobody can block others', async () => {
    await withReader({}, async (reader) => {
      const mine = [hold(reader, 'a'), hold(reader, 'a'), hold(reader, 'a')];
      await mine[0]?.read;
      const other = hold(reader, 'b');
      expect(await Promise.race([other.read, mine[1]?.read, mine[2]?.read])).toBe('b');
      for (const { release } of [...mine, other]) release();
      await Promise.all([...mine, other].map(({ done }) => done));
    });
  });

  test('large documents are read one at a time, and small ones in parallel with them', async () => {
    await withReader({}, async (reader) => {
      const large = (person: string) => hold(reader, person, bytesOf(`lists: {}${' '.repeat(256 * 1024)}`));
      const held = [large('a'), large('b'), hold(reader, 'c')];
      expect(await Promise.race([held[1]?.read, held[2]?.read])).toBe('c');
      held[0]?.release();
      expect(await held[1]?.read).toBe('b');
      for (const { release } of held) release();
      await Promise.all(held.map(({ done }) => done));
    });
  });

  test('documents that do not fit into the queue are refused', async () => {
    await withReader({ atOnce: 1, waiting: 2, waitingOfPerson: 1 }, async (reader) => {
      const held = [hold(reader, 'a')];
      await held[0]?.read;
      held.push(hold(reader, 'b'));
      expect(await outcomeOf(reader.read({ ...small, person: 'b' }, planned))).toBe('documents-busy');
      held.push(hold(reader, 'c'));
      expect(await outcomeOf(reader.read({ ...small, person: 'd' }, planned))).toBe('documents-busy');
      for (const { release } of held) release();
      await Promise.all(held.map(({ done }) => done));
      expect(await outcomeOf(reader.read({ ...small, person: 'd' }, planned))).toBe('2 changes');
    });
  });
});
