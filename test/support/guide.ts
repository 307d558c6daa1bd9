// The operators' guide, whose commands the tests run as written.
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './frontdesk.ts';
import { command, root } from './process.ts';
import { programPath } from './programs.ts';

export const operations = readFileSync(join(root, 'docs/operations.md'), 'utf8');

/** The code blocks of the guide, in its order. */
export const guideBlocks = [...operations.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(
  ([, language = '', text = '']) => ({
    language,
    text,
  }),
);

/** The block of the guide that starts with this text. test/once/guide.test.ts finds every block that no test names here. */
export function guideBlock(start: string): string {
  const found = guideBlocks.filter(({ text }) => text.startsWith(start));
  if (found.length !== 1) throw new Error(`docs/operations.md has ${found.length} blocks that start with ${start}`);
  return found[0]?.text ?? '';
}

interface RunOptions {
  /** What to put in place of the guide's addresses and folders. */
  replacements?: Record<string, string>;
  env?: Record<string, string>;
  /** Folders with further programs. */
  path?: string[];
}

/** Runs the commands of a block, and stops at the first that fails. */
export async function runInGuide(
  text: string,
  { replacements = {}, env = {}, path = [] }: RunOptions = {},
): Promise<string> {
  let filled = text;
  for (const [from, to] of Object.entries(replacements)) {
    if (!filled.includes(from)) throw new Error(`${from} is not in:\n${text}`);
    filled = filled.replaceAll(from, to);
  }
  const folder = makeFolder();
  addFrontdesk(folder);
  // Not spawnSync: the identity provider of the tests runs in this process.
  const child = Bun.spawn([programPath('bash'), '-e', '-o', 'pipefail', '-c', filled], {
    cwd: folder,
    env: { ...env, HOME: process.env.HOME ?? '', PATH: [folder, ...path, process.env.PATH].join(':') },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  rmSync(folder, { recursive: true, force: true });
  if (exitCode !== 0) throw new Error(`exit ${exitCode}:\n${filled}\n${stdout}${stderr}`);
  return stdout;
}

/** Puts a program `frontdesk` into the folder. */
function addFrontdesk(folder: string): void {
  const words = command.map((word) => (word === 'bun' ? process.execPath : word));
  const file = join(folder, 'frontdesk');
  writeFileSync(file, `#!/bin/sh\nexec ${words.map((word) => `'${word}'`).join(' ')} "$@"\n`);
  chmodSync(file, 0o755);
}
