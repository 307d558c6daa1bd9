// Registers programs for tests, and sends their requests.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import { readCommandLine, UsageError } from '../../src/cli/arguments.ts';
import { CommandError } from '../../src/cli/command.ts';
import { type DatabaseCommandName, runCommand } from '../../src/cli/commands.ts';
import { readConfig } from '../../src/config/config.ts';
import type { Frontdesk } from './frontdesk.ts';
import { until } from './waiting.ts';

export const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

export interface TokenAnswer {
  access_token: string;
  token_type: string;
  expires_in: number;
}

export interface Signer {
  publicJwk: JWK;
  privateJwk: JWK;
  sign(claims: JWTPayload, header?: Record<string, unknown>): Promise<string>;
}

export async function makeSigner(kid?: string, alg = 'ES256'): Promise<Signer> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const named = kid === undefined ? {} : { kid };
  return {
    publicJwk: { ...(await exportJWK(publicKey)), ...named },
    privateJwk: { ...(await exportJWK(privateKey)), ...named },
    sign: (claims, header = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg, ...named, ...header }).sign(privateKey),
  };
}

const nowInSeconds = () => Math.floor(Date.now() / 1000);

/** The claims of a program that signs with its own key. */
export const ownClaims = (name: string, audience: string, changes: Record<string, unknown> = {}): JWTPayload => ({
  iss: name,
  sub: name,
  aud: audience,
  iat: nowInSeconds(),
  exp: nowInSeconds() + 300,
  jti: crypto.randomUUID(),
  ...changes,
});

export const postForm = (
  address: string,
  form: Record<string, string> | string,
  headers: Record<string, string> = {},
) =>
  fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: String(new URLSearchParams(form)),
  });

export const requestToken = (at: Pick<Frontdesk, 'url'>, assertion: string) =>
  postForm(`${at.url}/auth/token`, { grant_type: jwtBearer, assertion });

export async function tokenFrom(response: Response): Promise<string> {
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  return ((await response.json()) as TokenAnswer).access_token;
}

type Place = Pick<Frontdesk, 'commandEnv' | 'config'>;

/** Runs `frontdesk callers` for this service in the test's process, which is ten times as fast. */
export async function runCallers({ commandEnv, config }: Place, ...words: string[]) {
  try {
    const call = readCommandLine(['callers', ...words]);
    if ('help' in call) return { exitCode: 0, stdout: call.help, stderr: '' };
    const settings = readConfig({ ...commandEnv, PUBLIC_URL: config.publicUrl });
    const result = await runCommand(call.name as DatabaseCommandName, call.args, settings);
    return { exitCode: 0, stdout: String(result), stderr: '' };
  } catch (error) {
    if (error instanceof UsageError) return { exitCode: 64, stdout: '', stderr: error.message };
    if (error instanceof CommandError) return { exitCode: error.exitCode, stdout: '', stderr: error.message };
    throw error;
  }
}

export async function addCaller(at: Place, name: string, ...words: string[]): Promise<void> {
  const { exitCode, stderr } = await runCallers(at, 'add', name, ...words);
  if (exitCode !== 0) throw new Error(stderr);
}

export function keyFile({ folder }: Pick<Frontdesk, 'folder'>, content: unknown): string {
  const file = join(folder, `${crypto.randomUUID()}.jwks`);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

/** Registers a program with its own key, and waits until these services know it. */
export async function addOwnKeyCaller(
  at: Frontdesk,
  name: string,
  signer: Signer,
  roles?: string,
  services = [at],
): Promise<() => Promise<string>> {
  const file = keyFile(at, { keys: [signer.publicJwk] });
  await addCaller(at, name, '--key', file, ...(roles === undefined ? [] : ['--roles', roles]));
  const assert = () => signer.sign(ownClaims(name, at.config.publicUrl));
  for (const service of services) {
    await until(async () => (await requestToken(service, await assert())).status === 200);
  }
  return async () => tokenFrom(await requestToken(at, await assert()));
}
