// Reads files beside the page, so that it stays quick, and can be ended.
import type { ReadFile } from './cells.ts';
import { readLimits } from './limits.ts';
import { readFile } from './read-file.ts';
import type { ReadAnswer, ReadRequest } from './read-in-worker.ts';
import { UnreadableFile } from './unreadable.ts';

/** Of a table, so many at once. */
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
