// Output that is too long for memory.
import { CommandError } from './command.ts';

const charactersOfWrite = 65_536;

/** Waits for the reader after each part. Fails if the reader closes the output before the end. */
export async function writeParts(parts: AsyncIterable<string>): Promise<void> {
  // The write itself reports the error. Without a listener, the event would crash the process.
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

/** The same for output that may be cut off: `frontdesk audit | head` is not an error. */
export async function writeLines(parts: AsyncIterable<string>): Promise<''> {
  try {
    await writeParts(parts);
  } catch (error) {
    if (!(error instanceof OutputClosed)) throw error;
  }
  return '';
}

class OutputClosed extends CommandError {
  constructor() {
    super('Standard output was closed before everything was written.');
  }
}

function write(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (error) reject(new OutputClosed());
      else resolve();
    });
  });
}
