// Servers that several tests of a file share. When a test times out, Bun kills every process that a test or hook of the file
// has started. It does not find these servers, because the shell that started them has ended.
import { readFileSync } from 'node:fs';
import { until } from './waiting.ts';

export interface Daemon {
  pid: number;
  isRunning(): boolean;
  /** Sends the signal and waits until the process is gone. */
  end(signal: NodeJS.Signals): Promise<void>;
}

const running = new Set<Daemon>();
// `bun test` does not emit this event: test files call endDaemons() instead.
process.on('exit', () => {
  for (const { pid } of running) sendSignal(pid, 'SIGKILL');
});

export function startDaemon(command: readonly string[], logFile = '/dev/null'): Daemon {
  const script = '"$@" </dev/null >>"$0" 2>&1 & echo $!';
  const { stdout } = Bun.spawnSync(['sh', '-c', script, logFile, ...command]);
  const pid = Number(stdout.toString());
  const isRunning = () => sendSignal(pid, 0) && !isZombie(pid);
  const daemon: Daemon = {
    pid,
    isRunning,
    async end(signal) {
      sendSignal(pid, signal);
      await until(async () => !isRunning());
      running.delete(daemon);
    },
  };
  running.add(daemon);
  return daemon;
}

/** Kills daemons that are still running, for example after a test timed out. Call it in the file's afterAll. */
export async function endDaemons(): Promise<void> {
  await Promise.all([...running].map((daemon) => daemon.end('SIGKILL')));
}

/** Returns false if there is no such process. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** An ended process stays in the table until its parent reads its status; the first process of a container may never do so. */
function isZombie(pid: number): boolean {
  try {
    return /^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
