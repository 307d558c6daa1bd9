// Something that all tests of a file use.
import { afterAll, afterEach, beforeAll, expect } from 'bun:test';
import type { Console } from './console.ts';

/** Started before the first test, stopped after the last one. Before that, nothing of it can be used. */
export function shared<T extends { stop(): Promise<void> }>(start: () => Promise<T>): T {
  let started: T | undefined;
  beforeAll(async () => {
    started = await start();
  });
  afterAll(() => started?.stop());
  return new Proxy({} as T, { get: (_, name) => started?.[name as keyof T] });
}

/** For the tests of a file. None of its pages may log an error, or ask another host for anything. */
export function sharedConsole<T extends Console>(start: () => Promise<T>): T {
  const app = shared(async () => {
    const started = await start();
    const stop = async () => {
      await started.stop();
      expect(started.seen).toEqual({ complaints: [], foreign: [] });
    };
    return { ...started, stop };
  });
  afterEach(() => app.leavePages());
  return app;
}
