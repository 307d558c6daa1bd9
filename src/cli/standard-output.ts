// Output that is too long to be kept in memory.
import { CommandError } from './command.ts';

const charactersOfWrite = 65_536;

/** Goes on when the reader has taken what was written. */
export async function writeParts(parts: AsyncIterable<string>): Promise<void> {
  // The write reports it; without a listener, the event would end the process as a defect.
  process.stdout.on('error', () => {});
  let waiting = '';
  for await (const part of parts) {
    waiting += part;
    if (waiting.length < charactersOfWrite) continue;
    await write(waiting);
    waiting = '';
  }
  await write(waiting);
}

function write(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (error) reject(new CommandError('Standard output was closed before everything was written.'));
      else resolve();
    });
  });
}
