// Reads with a size limit: small text files such as secrets and keys, and servers' answers.
import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Enough for a chain of certificates. */
const longestFile = 64 * 1024;

/** Returns the text of a small file without its final line break, or why it cannot be read. Never quotes the content. */
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

/** Like `readBoundedFile`, for a file that holds one JWT, such as an assertion. */
export function readJwtFile(path: string): { text: string } | { fault: string } {
  const file = readBoundedFile(path);
  return 'fault' in file || /^[\w-]+\.[\w-]+\.[\w-]+$/.test(file.text)
    ? file
    : { fault: 'names a file that does not hold a JWT' };
}

function readBytes(path: string): Buffer | undefined {
  // O_NONBLOCK, because opening a pipe must not wait for a writer.
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

/** A server's answer, such as a Response. */
export interface Answer {
  status: number;
  headers: Headers;
  body: AsyncIterable<Uint8Array> | null;
}

/** Returns the whole body of an answer, or undefined if it is longer than this. */
export async function readAtMost(
  { body }: Pick<Answer, 'body'>,
  most: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > most) return undefined;
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
