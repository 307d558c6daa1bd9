// Structured logs: JSON lines for machines, one readable line for a terminal.
import { type Logger, pino } from 'pino';
import { codeOf } from '../base/guards.ts';

export type Log = Logger;

interface LogOptions {
  level: string;
  format: 'json' | 'pretty';
  /** The name of this replica, in every line. */
  instance: string;
}

export async function createLog({ level, format, instance }: LogOptions): Promise<Log> {
  const options = {
    level,
    base: { instance },
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  if (format === 'json') return pino(options, pino.destination({ dest: 1, sync: true }));
  const { default: pretty } = await import('pino-pretty');
  return pino(
    options,
    pretty({ sync: true, colorize: process.stdout.isTTY, translateTime: 'SYS:HH:MM:ss', singleLine: true }),
  );
}

/**
 * Describes an error for the log. Messages are left out, because libraries' messages quote tokens, codes and personal details.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const code = codeOf(error);
  const reason = 'reason' in error ? error.reason : undefined;
  const providerText = 'providerText' in error ? error.providerText : undefined;
  return {
    name: error.name,
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(typeof reason === 'string' && { reason }),
    ...(typeof providerText === 'string' && { providerText }),
    // The code of a Problem already tells where it comes from.
    ...(error.name !== 'Problem' && { at: framesOf(error) }),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
}

function framesOf(error: Error): string[] {
  const lines = (error.stack ?? '').replace(error.message, '').split('\n');
  return lines
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '))
    .slice(0, 4);
}

/** Writes whole lines unchanged to standard output (1) or standard error (2), regardless of LOG_LEVEL. */
export function createLineWriter(descriptor: 1 | 2): (line: string) => void {
  const destination = pino.destination({ dest: descriptor, sync: true });
  // If the reader closes the pipe, the process must not end.
  destination.on('error', () => {});
  return (line) => void destination.write(line);
}
