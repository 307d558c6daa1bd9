// Output that is too long to be kept in memory.
import { CommandError } from './command.ts';

const charactersOfWrite = 65_536;

/** Goes on when the reader has taken what was written. Fails where the reader leaves before the end. */
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

/** The same for what may be cut off: `frontdesk audit | head` is no error. */
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
