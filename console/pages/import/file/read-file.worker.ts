// Reads files in a worker, so that the page stays responsive and can cancel the reading.
import type { ReadFile } from './cells.ts';
import { readLimits, UnreadableFile } from './limits.ts';
import { readFile } from './read-file.ts';
import type { ReadAnswer, ReadRequest } from './read-in-worker.ts';

/** Rows per message. */
const rowsInPart = 1000;
const answer = (message: ReadAnswer) => globalThis.postMessage(message);

globalThis.onmessage = async ({ data: { name, bytes } }: MessageEvent<ReadRequest>) => {
  try {
    send(await readFile(name, new Uint8Array(bytes), readLimits));
  } catch (error) {
    answer({ why: error instanceof UnreadableFile ? error.why : { reason: 'unreadable' } });
  }
};

function send(file: ReadFile): void {
  if (file.kind === 'document') answer({ file });
  else {
    answer({ file: { ...file, sheets: file.sheets.map(({ name }) => ({ name, rows: [] })) } });
    for (const [sheet, { rows }] of file.sheets.entries()) {
      for (let at = 0; at < rows.length; at += rowsInPart) answer({ sheet, rows: rows.slice(at, at + rowsInPart) });
    }
  }
  answer({ isDone: true });
}
