// Starts the worker that reads a file, and terminates it when it is done, takes too long or is cancelled.
import type { Cell, ReadFile } from './cells.ts';
import { type ReadLimits, readLimits, type Unreadable, UnreadableFile } from './limits.ts';

export interface ReadRequest {
  name: string;
  bytes: ArrayBuffer;
}

/** A table is sent in parts, because receiving it in one message would block the page. */
export type ReadAnswer =
  | { file: ReadFile }
  | { why: Unreadable }
  | { sheet: number; rows: Cell[][] }
  | { isDone: true };

/** Rejects with `UnreadableFile` or the signal's reason. */
export async function readInWorker(
  file: Pick<File, 'name' | 'size' | 'arrayBuffer'>,
  startWorker: () => Worker,
  signal: AbortSignal,
  limits: Pick<ReadLimits, 'fileBytes' | 'seconds'> = readLimits,
): Promise<ReadFile> {
  // Checked before the file is loaded into memory.
  if (file.size > limits.fileBytes) {
    throw new UnreadableFile({ reason: 'file-too-large', bytes: file.size, limit: limits.fileBytes });
  }
  const bytes = await file.arrayBuffer().catch((cause: unknown) => {
    // The file has been moved or changed since it was chosen.
    throw new UnreadableFile({ reason: 'unreadable' }, cause);
  });
  signal.throwIfAborted();
  const worker = startWorker();
  const { promise, resolve, reject } = Promise.withResolvers<ReadFile>();
  const refuse = (why: Unreadable) => reject(new UnreadableFile(why));
  const stop = () => reject(signal.reason);
  const timer = setTimeout(() => refuse({ reason: 'too-slow', limit: limits.seconds }), limits.seconds * 1000);
  signal.addEventListener('abort', stop);
  let read: ReadFile | undefined;
  worker.onmessage = ({ data }: MessageEvent<ReadAnswer>) => {
    if ('why' in data) refuse(data.why);
    else if ('file' in data) read = data.file;
    else if ('rows' in data && read?.kind === 'table') read.sheets[data.sheet]?.rows.push(...data.rows);
    else if (read !== undefined) resolve(read);
  };
  // Also called if the worker runs out of memory.
  worker.onerror = () => refuse({ reason: 'unreadable' });
  worker.onmessageerror = () => refuse({ reason: 'unreadable' });
  worker.postMessage({ name: file.name, bytes } satisfies ReadRequest, [bytes]);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    worker.terminate();
  }
}
