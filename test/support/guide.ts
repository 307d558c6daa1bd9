// The guides of operators and auditors, whose commands the tests run as written.
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './frontdesk.ts';
import { command, root } from './process.ts';
import { programPath } from './programs.ts';

export const operations = readFileSync(join(root, 'docs/operations.md'), 'utf8');

export const audit = readFileSync(join(root, 'docs/audit.md'), 'utf8');

/** The code blocks of both guides, in order. */
export const guideBlocks = [...`${operations}\n${audit}`.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(
  ([, language = '', text = '']) => ({
    language,
    text,
  }),
);

/** The guide block that starts with this text. test/once/guide.test.ts reports every block that no test looks up here. */
export function guideBlock(start: string): string {
  const found = guideBlocks.filter(({ text }) => text.startsWith(start));
  if (found.length !== 1)
    throw new Error(`docs/operations.md and docs/audit.md have ${found.length} blocks that start with ${start}`);
  return found[0]?.text ?? '';
}

interface RunOptions {
  /** What to put in place of the guide's addresses and folders. */
  replacements?: Record<string, string>;
  env?: Record<string, string>;
  /** Folders with further programs. */
  path?: string[];
  /** Shell scripts that stand in for programs, by the name of the program. */
  scripts?: Record<string, string>;
}

/** Starts the commands of a block in a temporary folder. After a command that fails, no further command runs. */
export function startInGuide(text: string, { replacements = {}, env = {}, path = [], scripts = {} }: RunOptions = {}) {
  let filled = text;
  for (const [from, to] of Object.entries(replacements)) {
    if (!filled.includes(from)) throw new Error(`${from} is not in this block:\n${text}`);
    filled = filled.replaceAll(from, to);
  }
  const folder = makeFolder();
  const words = command.map((word) => (word === 'bun' ? process.execPath : word));
  const frontdesk = `exec ${words.map((word) => `'${word}'`).join(' ')} "$@"`;
  for (const [name, script] of Object.entries({ frontdesk, ...scripts })) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  const child = Bun.spawn([programPath('bash'), '-e', '-o', 'pipefail', '-c', filled], {
    cwd: folder,
    env: { ...env, HOME: process.env.HOME ?? '', PATH: [folder, ...path, process.env.PATH].join(':') },
    stdio: ['ignore', Bun.file(join(folder, 'output')), Bun.file(join(folder, 'errors'))],
    // Its own process group, so that all of it can be ended.
    detached: true,
  });
  return {
    folder,
    child,
    filled,
    /** Ends all its processes, and deletes the folder. */
    async [Symbol.asyncDispose](): Promise<void> {
      if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGKILL');
      await child.exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs the commands of a block to their end, and returns what they printed. */
export async function runInGuide(text: string, options: RunOptions = {}): Promise<string> {
  await using started = startInGuide(text, options);
  const { folder, child, filled } = started;
  // Does not use spawnSync, which would block the identity provider of the tests in this process.
  const exitCode = await child.exited;
  const [output, errors] = ['output', 'errors'].map((name) => readFileSync(join(folder, name), 'utf8'));
  if (exitCode !== 0) throw new Error(`exit ${exitCode}:\n${filled}\n${output}${errors}`);
  return output ?? '';
}
