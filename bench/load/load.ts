// Creates the load with wrk if it is installed, otherwise with autocannon, on the core that the servers do not use.
import { cpus } from 'node:os';
import { join } from 'node:path';

const here = (file: string) => join(import.meta.dir, file);
export const node = Bun.which('node') ?? 'node';
const wrk = Bun.which('wrk');

export const loadTool = wrk === null ? 'autocannon (no wrk here: apt-get install wrk)' : 'wrk';

/** What to put before a command to pin the command to one core. */
export function pinned(core: 0 | 1): string[] {
  return cpus().length > 1 && Bun.which('taskset') !== null ? ['taskset', '-c', String(core)] : [];
}

export interface LoadOptions {
  headers: Record<string, string>;
  connections?: number;
  seconds?: number;
  /** Each request uses the next token of this file, instead of the token in the headers. */
  tokensFile?: string;
  /** Whether each request asks for a different day. */
  manyDays?: boolean;
  /** Whether the load may use both cores, for servers that use both cores. */
  isFree?: boolean;
}

/** Returns the requests per second. Throws if a request failed. */
export async function load(url: string, options: LoadOptions): Promise<number> {
  const { headers, connections = 64, seconds = 3, tokensFile, manyDays = false, isFree = false } = options;
  const sent = tokensFile === undefined ? headers : {};
  const command =
    wrk === null
      ? [node, here('autocannon.mjs'), JSON.stringify({ ...options, headers: sent, connections, seconds, url })]
      : [
          wrk,
          '-t1',
          `-c${connections}`,
          `-d${seconds}s`,
          // A slow answer is not a failure.
          '--timeout',
          '30s',
          ...(tokensFile === undefined ? [] : ['-s', here('tokens.lua')]),
          ...(manyDays ? ['-s', here('days.lua')] : []),
          ...Object.entries(sent).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
          url,
          ...(tokensFile === undefined ? [] : ['--', tokensFile]),
        ];
  const output = await run([...(isFree ? [] : pinned(1)), ...command]);
  if (wrk === null) {
    const { perSecond, failed } = JSON.parse(output) as { perSecond: number; failed: number };
    if (failed > 0) throw new Error(`${url}: ${failed} failed`);
    return perSecond;
  }
  const [, perSecond] = /Requests\/sec:\s+([\d.]+)/.exec(output) ?? [];
  if (perSecond === undefined || /Non-2xx|Socket errors/.test(output)) throw new Error(`${url}\n${output}`);
  return Number(perSecond);
}

/** Returns how long each request took, in milliseconds, at this rate. */
export async function askAtRate(url: string, authorization: string, perSecond: number, seconds: number) {
  const command = [process.execPath, here('at-rate.ts'), url, authorization, String(perSecond), String(seconds)];
  return JSON.parse(await run([...pinned(1), ...command])) as number[];
}

async function run(command: string[]): Promise<string> {
  const child = Bun.spawn(command, { stdio: ['ignore', 'pipe', 'inherit'] });
  const output = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`${command[0]} failed\n${output}`);
  return output;
}
