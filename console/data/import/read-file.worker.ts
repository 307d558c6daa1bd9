// Reads files beside the page, so that it stays quick, and can be ended.
import { readLimits } from './limits.ts';
import { readFile } from './read-file.ts';
import type { ReadAnswer, ReadRequest } from './read-in-worker.ts';
import { UnreadableFile } from './unreadable.ts';

globalThis.onmessage = async ({ data }: MessageEvent<ReadRequest>) => {
  globalThis.postMessage(await answer(data));
};

async function answer({ name, bytes }: ReadRequest): Promise<ReadAnswer> {
  try {
    return { file: await readFile(name, new Uint8Array(bytes), readLimits) };
  } catch (error) {
    return { why: error instanceof UnreadableFile ? error.why : { reason: 'unreadable' } };
  }
}
