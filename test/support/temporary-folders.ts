// Folders that are deleted after the tests of a file.
import { afterAll } from 'bun:test';
import { rmSync } from 'node:fs';
import { makeFolder } from './frontdesk.ts';

export function temporaryFolders(): () => string {
  const made: string[] = [];
  afterAll(() => {
    for (const each of made) rmSync(each, { recursive: true, force: true });
  });
  return () => {
    const folder = makeFolder();
    made.push(folder);
    return folder;
  };
}
