// Starts the worker that reads a file, and ends it when it has read, takes too long, or is not wanted any more.
import type { ReadFile } from './cells.ts';
import { readLimits } from './limits.ts';
import { type Unreadable, UnreadableFile } from './unreadable.ts';

export interface ReadRequest {
  name: string;
  bytes: ArrayBuffer;
}

export type ReadAnswer = { file: ReadFile } | { why: Unreadable };

/** Rejects with `UnreadableFile`, or the signal's reason. */
export async function readInWorker(file: File, startWorker: () => Worker, signal: AbortSignal): Promise<ReadFile> {
  // Before it is loaded into memory.
  if (file.size > readLimits.fileBytes) {
    throw new UnreadableFile({ reason: 'file-too-large', bytes: file.size, limit: readLimits.fileBytes });
  }
  const bytes = await file.arrayBuffer().catch((cause: unknown) => {
    // Moved or changed since it was chosen.
    throw new UnreadableFile({ reason: 'unreadable' }, cause);
  });
  signal.throwIfAborted();
  const worker = startWorker();
  const { promise, resolve, reject } = Promise.withResolvers<ReadFile>();
  const refuse = (why: Unreadable) => reject(new UnreadableFile(why));
  const stop = () => reject(signal.reason);
  const timer = setTimeout(() => refuse({ reason: 'too-slow', limit: readLimits.seconds }), readLimits.seconds * 1000);
  signal.addEventListener('abort', stop);
  worker.onmessage = ({ data }: MessageEvent<ReadAnswer>) => ('file' in data ? resolve(data.file) : refuse(data.why));
  // Memory that does not suffice ends here, too.
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
