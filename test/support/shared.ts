// Services that all tests of a file share.
import { afterAll, afterEach, beforeAll, expect } from 'bun:test';
import type { Console } from './console.ts';

/** Starts a service before the first test, and stops it after the last one. The result can be used only in tests and hooks. */
export function shared<T extends { stop(): Promise<void> }>(start: () => Promise<T>): T {
  let started: T | undefined;
  beforeAll(async () => {
    started = await start();
  });
  afterAll(() => started?.stop());
  return new Proxy({} as T, { get: (_, name) => started?.[name as keyof T] });
}

/** A console that all tests of a file share. None of its pages may cause an error, or send a request to another host. */
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
