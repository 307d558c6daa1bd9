// Servers written the way a team would write them. Each makes the same checks, and stores person and session in
// PostgreSQL.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../test/support/process.ts';
import { go } from '../field.ts';
import { node } from '../load/load.ts';
import type { Command } from './servers.ts';

const here = (file: string) => join(root, 'bench/sign-in/peers', file);
export const goOidc = 'Go, coreos/go-oidc, pgx';

/** Installs the peers, and builds the one in Go if Go is installed. */
export function peers(folder: string): Command[] {
  const run = (command: string[], cwd: string) => {
    const { exitCode } = Bun.spawnSync(command, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
    if (exitCode !== 0) throw new Error(`${command.join(' ')} failed`);
  };
  if (!existsSync(join(root, 'bench/node_modules'))) run(['npm', 'ci'], join(root, 'bench'));
  const goServer = join(folder, 'go-oidc');
  if (go !== null) run([go, 'build', '-o', goServer, '.'], here('go-oidc'));
  return [
    { name: 'Express, openid-client, pg', command: [node, here('express-openid-client.mjs')] },
    { name: 'Fastify, @fastify/oauth2, jose, pg', command: [node, here('fastify-oauth2.mjs')] },
    { name: 'Express, passport-openidconnect, pg', command: [node, here('passport.mjs')] },
    ...(go === null ? [] : [{ name: goOidc, command: [goServer] }]),
  ];
}
