// The connection to the service, with the rights of the person or program that runs the command. Answers are limited in time and size.
import { readFileSync, statSync } from 'node:fs';
import { createFrontdesk, type Frontdesk } from '../index.ts';
import { isLoopback } from './arguments.ts';
import { CommandError } from './command-error.ts';
import { signInAtDevelopmentProvider } from './development-sign-in.ts';

const longestCallMs = 60_000;
/** A thousand lists of a hundred values have about 10 MiB. */
const longestAnswer = 64 * 1024 * 1024;
const longestSecret = 64 * 1024;

export async function connect(url: URL, person: string, env: Record<string, string | undefined>): Promise<Frontdesk> {
  const { FRONTDESK_TOKEN: token = '', FRONTDESK_ASSERTION_FILE: file = '' } = env;
  if (token !== '' && file !== '')
    throw new CommandError('configuration', 'Set one of FRONTDESK_TOKEN and FRONTDESK_ASSERTION_FILE, and not both.');
  const service = { baseUrl: url.href, fetch: fetchBounded as typeof fetch };
  if (token !== '') return createFrontdesk({ ...service, accessToken: checkSecret('FRONTDESK_TOKEN', token) });
  if (file !== '') return createFrontdesk({ ...service, assertion: () => readAssertion(file) });
  if (url.protocol !== 'http:' || !isLoopback(url))
    throw new CommandError('configuration', 'Set FRONTDESK_TOKEN or FRONTDESK_ASSERTION_FILE.');
  return createFrontdesk({ ...service, accessToken: await signInAtDevelopmentProvider(url, person) });
}

function readAssertion(file: string): string {
  try {
    if (statSync(file).size <= longestSecret)
      return checkSecret('FRONTDESK_ASSERTION_FILE', readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError('configuration', `FRONTDESK_ASSERTION_FILE: ${file} cannot be read.`);
  }
  throw new CommandError('configuration', `FRONTDESK_ASSERTION_FILE: ${file} is too large.`);
}

/** Text that cannot be sent in a header is not a token. It is not repeated, because it may still be a secret. */
function checkSecret(name: string, text: string): string {
  const secret = text.trim();
  if (!/^[\x21-\x7e]+$/.test(secret) || secret.length > longestSecret)
    throw new CommandError('configuration', `${name} has no token.`);
  return secret;
}

/** Redirects are not followed, and count as unexpected answers. */
async function fetchBounded(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(longestCallMs) });
  const { status, headers } = response;
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > longestAnswer) throw new CommandError('failure', `${url} gave an answer that is too large.`);
    parts.push(part);
  }
  return new Response(size === 0 ? null : Buffer.concat(parts), { status, headers });
}
