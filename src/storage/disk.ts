// The place of a database file, as `frontdesk check` reports it. Only reads.
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { CannotOpenDatabase } from './errors.ts';

/** The nearest existing folder must be writable, because missing folders are created in it. */
export function expectWritableFolder(file: string): void {
  const folder = nearestFolder(file);
  try {
    accessSync(folder, constants.W_OK);
    if (!statSync(folder).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' });
  } catch (error) {
    throw new CannotOpenDatabase(file, error);
  }
}

/**
 * The first of these that is read-only: the file, SQLite's side files, or the folder in which SQLite creates them.
 * Undefined if there is no file.
 */
export function findReadOnly(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const files = [file, `${file}-wal`, `${file}-shm`].filter((each) => existsSync(each));
  return [...files, nearestFolder(file)].find((path) => !isWritable(path));
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Free space for an account that is not root. */
export function freeBytes(file: string): number {
  const { bavail, bsize } = statfsSync(nearestFolder(file));
  return bavail * bsize;
}

function nearestFolder(file: string): string {
  let folder = dirname(resolve(file));
  while (!existsSync(folder)) folder = dirname(folder);
  return folder;
}
