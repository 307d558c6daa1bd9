// A sign-in without a browser at the development provider, which reads the person from the address.
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { isLoopback } from './arguments.ts';
import { CommandError } from './command-error.ts';

const maxRedirects = 12;
const longestCallMs = 30_000;
const longestAnswer = 64 * 1024;

/** The access token. Redirects are followed only on this machine. */
export async function signInAtDevelopmentProvider(service: URL, person: string): Promise<string> {
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

/** Not with fetch, which identifies itself as a script: Frontdesk allows only navigation to its sign-in. */
function request(url: URL, cookies: Map<string, string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const fail = () => reject(new CommandError('tryAgain', `${url.origin} cannot be reached.`));
    const sent: ClientRequest = get(url, { headers: { cookie }, timeout: longestCallMs }, (response) => {
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
    if (text.length > longestAnswer) throw new Error('The answer is too large.');
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
    // A page for people, from the provider or something else.
  }
  throw refused(person);
}

const refused = (person: string) =>
  new CommandError(
    'notPermitted',
    `There is no development provider that signs in ${person}. Set FRONTDESK_TOKEN or FRONTDESK_ASSERTION_FILE.`,
  );
