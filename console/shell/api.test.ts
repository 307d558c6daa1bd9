import { afterEach, expect, test } from 'bun:test';
import { FrontdeskError } from '../../client/src/index.ts';
import { fetchConsoleFile, PartReplaced } from './api.ts';

afterEach(() => {
  globalThis.consoleFileImports = undefined;
});

const answering = (status: (url: string) => number, asked: string[] = []) => {
  return async (url: string) => {
    asked.push(url);
    return new Response('', { status: status(url) });
  };
};

test('a part is requested together with its imports', async () => {
  globalThis.consoleFileImports = { 'part-1.js': ['part-2.js', 'part-3.js'] };
  const asked: string[] = [];
  await fetchConsoleFile(
    'part-1.js',
    answering(() => 200, asked),
  );
  expect(asked).toEqual(['console/part-1.js', 'console/part-2.js', 'console/part-3.js']);
});

test('a part counts as replaced if it or one of its imports no longer exists', async () => {
  globalThis.consoleFileImports = { 'part-1.js': ['part-2.js'] };
  for (const gone of ['part-1.js', 'part-2.js']) {
    const get = answering((url) => (url.endsWith(gone) ? 404 : 200));
    expect(await fetchConsoleFile('part-1.js', get).catch((error: unknown) => error)).toBeInstanceOf(PartReplaced);
  }
});

test.each([
  ['no answer', async () => Promise.reject(new TypeError('Failed to fetch'))],
  ['the answer of a proxy', answering(() => 502)],
  ['too many requests', answering(() => 429)],
])('%s is the same as no connection', async (_, get) => {
  const error = await fetchConsoleFile('part-1.js', get).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(FrontdeskError);
  expect((error as FrontdeskError).status).toBe(0);
});
