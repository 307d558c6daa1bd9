// Reads small text files such as secrets, keys and assertions. No message quotes their content.
import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Enough for a chain of certificates. */
const longestFile = 64 * 1024;

/** The text without its final line break, or why the file cannot be read. */
export function readBoundedFile(path: string): { text: string } | { fault: string } {
  try {
    const bytes = readBytes(path);
    if (bytes === undefined) return { fault: 'must name a regular file' };
    if (bytes.length > longestFile) return { fault: `must name a file of at most ${longestFile} bytes` };
    if (!isUtf8(bytes)) return { fault: 'names a file that is not UTF-8 text' };
    const text = bytes.toString().replace(/\r?\n$/, '');
    return text === '' ? { fault: 'names an empty file' } : { text };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown';
    return { fault: `names a file that cannot be read (${code})` };
  }
}

/** The same for a file that holds one JWT, such as an assertion. */
export function readJwtFile(path: string): { text: string } | { fault: string } {
  const file = readBoundedFile(path);
  return 'fault' in file || /^[\w-]+\.[\w-]+\.[\w-]+$/.test(file.text)
    ? file
    : { fault: 'names a file that does not hold a JWT' };
}

function readBytes(path: string): Buffer | undefined {
  // O_NONBLOCK: opening a pipe must not wait for a writer.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!fstatSync(file).isFile()) return undefined;
    const bytes = Buffer.alloc(longestFile + 1);
    let size = 0;
    for (let read = -1; read !== 0 && size < bytes.length; size += read) {
      read = readSync(file, bytes, size, bytes.length - size, null);
    }
    return bytes.subarray(0, size);
  } finally {
    closeSync(file);
  }
}
