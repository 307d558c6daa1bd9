// Replaces fflate where workbooks are read and written. fflate would compress in workers started from `blob:`
// addresses, which the page's security policy forbids, and would wait for these workers forever.
import { type AsyncZippable, type Unzipped, unzipSync, zipSync } from 'fflate';

export * from 'fflate';

export function zip(files: AsyncZippable, done: (error: null, archive: Uint8Array) => void): void {
  done(null, zipSync(files));
}

export function unzip(archive: Uint8Array, done: (error: null, files: Unzipped) => void): void {
  done(null, unzipSync(archive));
}
