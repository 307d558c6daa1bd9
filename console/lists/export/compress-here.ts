// Takes the place of fflate where workbooks are written and read: it would compress in threads that it starts from
// addresses (`blob:`) that the page's security policy does not allow, and wait for them without end.
import { type AsyncZippable, type Unzipped, unzipSync, zipSync } from 'fflate';

export * from 'fflate';

export function zip(files: AsyncZippable, done: (error: null, archive: Uint8Array) => void): void {
  done(null, zipSync(files));
}

export function unzip(archive: Uint8Array, done: (error: null, files: Unzipped) => void): void {
  done(null, unzipSync(archive));
}
