// Migrates a SQLite file in a separate thread. SQLite blocks the calling thread, and the main thread must be free to answer
// that the service is starting.
import { exitCodes } from '../base/exit-error.ts';
import { CannotOpenDatabase } from './errors.ts';
import { migrate, type ThreadMessage } from './migrate.ts';
import { openSqlite } from './sqlite.ts';
import { connectOrExplain } from './storage.ts';

declare const self: Worker;

const send = (message: ThreadMessage) => self.postMessage(message);

self.onmessage = async ({ data: file }: MessageEvent<string>) => {
  try {
    const db = connectOrExplain(file, () => openSqlite(file));
    await migrate(db, file, { begin() {}, step: send });
    await db.destroy();
    send({ kind: 'finished' });
  } catch (error) {
    const isExpected = error instanceof CannotOpenDatabase;
    const message = isExpected ? error.message : Bun.inspect(error);
    const failure = isExpected && error.mayPass ? exitCodes.tryAgain : exitCodes.configuration;
    send({ kind: 'failed', message, exitCode: isExpected ? failure : exitCodes.failure });
  }
};
