// The connection to the service, with the rights of the person or program that runs the command. Answers are limited in time and size.
import { readFileSync, statSync } from 'node:fs';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { createFrontdesk, type Frontdesk } from '../index.ts';
import { CommandError, isLoopback } from './arguments.ts';

const longestCallMs = 60_000;
/** An answer with a thousand lists of a hundred values each takes about 10 MiB. */
const longestAnswer = 64 * 1024 * 1024;
const longestSecret = 64 * 1024;

export async function connect(url: URL, person: string, env: Record<string, string | undefined>): Promise<Frontdesk> {
  const { FRONTDESK_TOKEN: token = '', FRONTDESK_ASSERTION_FILE: file = '' } = env;
  if (token !== '' && file !== '')
    throw new CommandError('configuration', 'Set FRONTDESK_TOKEN or FRONTDESK_ASSERTION_FILE, but not both.');
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

/** Text that cannot be sent in a header is not a token. The error does not repeat it, because it may still be a secret. */
function checkSecret(name: string, text: string): string {
  const secret = text.trim();
  if (!/^[\x21-\x7e]+$/.test(secret) || secret.length > longestSecret)
    throw new CommandError('configuration', `${name} contains no token.`);
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

const maxRedirects = 12;
const longestStepMs = 30_000;
const longestPage = 64 * 1024;

/**
 * Signs in at the development provider without a browser, and returns the access token. `login_hint` tells the provider which
 * person to sign in. Redirects are followed only on this machine.
 */
async function signInAtDevelopmentProvider(service: URL, person: string): Promise<string> {
  const cookies = new Map<string, string>();
  let url = new URL(`${service.href.replace(/\/+$/, '')}/auth/login?${new URLSearchParams({ login_hint: person })}`);
  for (let redirects = 0; redirects < maxRedirects; redirects++) {
    const { location, text } = await request(url, cookies);
    if (location === undefined) return tokenIn(text, person);
    url = new URL(location, url);
    if (url.protocol !== 'http:' || !isLoopback(url)) break;
  }
  throw refused(person);
}

interface Answer {
  location: string | undefined;
  text: string;
}

/** Does not use fetch, which identifies itself as a script. Frontdesk lets only navigation begin a sign-in. */
function request(url: URL, cookies: Map<string, string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const fail = () => reject(new CommandError('tryAgain', `${url.origin} cannot be reached.`));
    const sent: ClientRequest = get(url, { headers: { cookie }, timeout: longestStepMs }, (response) => {
      for (const line of response.headers['set-cookie'] ?? []) keepCookie(line, cookies);
      readText(response).then((text) => resolve({ location: response.headers.location, text }), fail);
    });
    sent.on('error', fail);
    sent.on('timeout', () => sent.destroy());
  });
}

async function readText(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of response.setEncoding('utf8')) {
    text += part;
    if (text.length > longestPage) throw new Error('The answer is too large.');
  }
  return text;
}

function keepCookie(line: string, cookies: Map<string, string>): void {
  const pair = line.split(';', 1)[0] ?? '';
  const name = pair.slice(0, pair.indexOf('='));
  cookies.set(name, pair.slice(name.length + 1));
}

function tokenIn(text: string, person: string): string {
  try {
    const { accessToken } = JSON.parse(text) as { accessToken?: unknown };
    if (typeof accessToken === 'string') return accessToken;
  } catch {
    // The answer is not JSON but a page for people, from the provider or another server.
  }
  throw refused(person);
}

const refused = (person: string) =>
  new CommandError(
    'notPermitted',
    `There is no development provider that signs in ${person}. Set FRONTDESK_TOKEN or FRONTDESK_ASSERTION_FILE.`,
  );
