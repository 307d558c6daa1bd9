// The entries of a ZIP file: listed before anything is unpacked, and unpacked up to a limit.
import { UnreadableFile } from './unreadable.ts';

export interface ZipEntry {
  name: string;
  isDeflated: boolean;
  packedBytes: number;
  /** As the file claims. */
  unpackedBytes: number;
  /** Of its own header in the file. */
  offset: number;
}

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const endBytes = 22;
const longestComment = 0xffff;

/** From the directory at the end of the file. */
export function listZipEntries(bytes: Uint8Array): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEnd(view);
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  const entries: ZipEntry[] = [];
  for (let index = 0; index < count; index++) {
    if (at + 46 > view.byteLength || view.getUint32(at, true) !== entrySignature) throw damaged();
    const flags = view.getUint16(at + 8, true);
    if ((flags & 1) === 1) throw new UnreadableFile({ reason: 'protected' });
    const method = view.getUint16(at + 10, true);
    if (method !== 0 && method !== 8) throw damaged();
    const nameLength = view.getUint16(at + 28, true);
    entries.push({
      name: new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength)),
      isDeflated: method === 8,
      packedBytes: view.getUint32(at + 20, true),
      unpackedBytes: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    });
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

function findEnd(view: DataView): number {
  const first = Math.max(0, view.byteLength - endBytes - longestComment);
  for (let at = view.byteLength - endBytes; at >= first; at--) {
    if (view.getUint32(at, true) === endSignature) return at;
  }
  throw damaged();
}

/** Counted while it is unpacked: what the directory says of its size may be wrong. */
export async function unpackEntry(
  bytes: Uint8Array<ArrayBuffer>,
  entry: ZipEntry,
  mostBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (entry.offset + 30 > view.byteLength) throw damaged();
  const start = entry.offset + 30 + view.getUint16(entry.offset + 26, true) + view.getUint16(entry.offset + 28, true);
  const packed = bytes.subarray(start, start + entry.packedBytes);
  if (packed.length !== entry.packedBytes) throw damaged();
  if (!entry.isDeflated) return packed;
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw damaged(cause);
    });
    if (done) break;
    size += value.length;
    if (size > mostBytes) {
      // The rest is not wanted, and what stopping it says neither.
      void reader.cancel().catch(() => {});
      throw new UnreadableFile({ reason: 'unpacked-too-large', bytes: size, limit: mostBytes });
    }
    chunks.push(value);
  }
  return concat(chunks, size);
}

function concat(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

const damaged = (cause?: unknown) => new UnreadableFile({ reason: 'damaged' }, cause);
