// Calls to a service from the command line: limited in time and size, without redirects. A refusal becomes the error that
// ends the command.
import { z } from 'zod';
import { readAtMost, readJwtFile } from '../base/bounded-reads.ts';
import { exitCodes } from '../base/exit-error.ts';
import { codeOf, parseJson } from '../base/guards.ts';
import { Problem } from '../http/problem.ts';
import { WrongFile } from '../lookup/documents/faults.ts';
import { ListName } from '../lookup/stored/fields.schema.ts';
import { CommandError } from './command.ts';
import { printable } from './printable.ts';

export type ServiceCall = <S extends z.ZodType>(answer: S, path: string, init?: RequestInit) => Promise<z.output<S>>;

/** Longer than the service needs for a large document, and longer than proxies wait. */
const callTimeoutMs = 120_000;
/** Five times the size of a list of a hundred thousand items. */
const longestAnswer = 128 * 1024 * 1024;

/** `env` is the process's environment. No other configuration is read. */
export function createServiceCall(
  url: string,
  env: Readonly<Record<string, string | undefined>>,
  timeoutMs = callTimeoutMs,
): ServiceCall {
  const base = url.replace(/\/+$/, '');
  const credential = readCredential(env);
  let token: Promise<string> | undefined;
  return async (schema, path, init = {}) => {
    // One exchange per command, because an assertion signed with a caller's own key works only once.
    token ??=
      'token' in credential ? Promise.resolve(credential.token) : exchange(base, credential.assertion, timeoutMs);
    const headers = { Accept: 'application/json', ...init.headers, Authorization: `Bearer ${await token}` };
    const { status, body } = await send(base + path, { ...init, headers }, timeoutMs);
    if (status < 200 || status > 299) throw refusal(base, status, body);
    return parseAnswer(base, schema, body);
  };
}

function readCredential(env: Readonly<Record<string, string | undefined>>): { token: string } | { assertion: string } {
  const { FRONTDESK_TOKEN: token = '', FRONTDESK_ASSERTION_FILE: path = '' } = env;
  const fail = (fault: string) => new CommandError(fault, exitCodes.configuration);
  if (token !== '' && path !== '')
    throw fail('FRONTDESK_TOKEN and FRONTDESK_ASSERTION_FILE are both set. Set only one of them.');
  if (token !== '') {
    // The token is sent in a header, which cannot contain every character.
    if (!headerText.test(token)) throw fail('FRONTDESK_TOKEN must hold an access token, and nothing else.');
    return { token };
  }
  if (path === '') throw fail('With --url, FRONTDESK_TOKEN or FRONTDESK_ASSERTION_FILE has to be set.');
  const file = readJwtFile(path);
  if ('fault' in file) throw fail(`FRONTDESK_ASSERTION_FILE ${file.fault}.`);
  return { assertion: file.text };
}

const headerText = /^[!-~]{1,16384}$/;

/** RFC 7523 section 2.1. */
async function exchange(base: string, assertion: string, timeoutMs: number): Promise<string> {
  const grant = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion };
  const { status, body } = await send(
    `${base}/auth/token`,
    { method: 'POST', body: new URLSearchParams(grant) },
    timeoutMs,
  );
  if (status === 200)
    return parseAnswer(base, z.object({ access_token: z.string().regex(headerText) }), body).access_token;
  // RFC 6749 section 5.2: a refused assertion is answered with 400.
  const refused = z.object({ error: z.string().regex(/^[a-z_]{1,64}$/) }).safeParse(body);
  if (!refused.success || status >= 429) throw refusal(base, status, body);
  const text = `${base} refuses the assertion in FRONTDESK_ASSERTION_FILE (${refused.data.error}): the service's log says why. An assertion that a program has signed with its own key works only once.`;
  throw new CommandError(text, exitCodes.notPermitted);
}

async function send(address: string, init: RequestInit, timeoutMs: number): Promise<{ status: number; body: unknown }> {
  const { origin, protocol } = new URL(address);
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    // Without TLS, which is allowed only on this machine, a proxy (HTTP_PROXY) would see the token.
    const way = protocol === 'http:' ? { proxy: false as const } : {};
    const response = await fetch(address, { ...init, ...way, redirect: 'manual', signal });
    const { status } = response;
    const bytes = await readAtMost(response, longestAnswer);
    if (bytes === undefined) throw new CommandError(`${origin} answers with more than ${longestAnswer} bytes.`);
    return { status, body: parseJson(new TextDecoder().decode(bytes)) };
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const code = error instanceof Error && error.name === 'TimeoutError' ? 'time-out' : (codeOf(error) ?? 'unknown');
    if (/CERT|SIGNATURE|TLS|SSL/.test(String(code))) {
      throw new CommandError(`The certificate of ${origin} is not accepted (${code}).`);
    }
    throw new CommandError(`${origin} cannot be reached (${code}): try again.`, exitCodes.tryAgain);
  }
}

function parseAnswer<S extends z.ZodType>(base: string, schema: S, body: unknown): z.output<S> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw notFrontdesk(base);
}

export const notFrontdesk = (base: string) =>
  new CommandError(`${base} sent an answer that is not from this version of Frontdesk.`);

const Refusal = z.object({
  type: z.string(),
  title: z.string().max(200),
  detail: z.string().max(2000),
  list: ListName.optional(),
  version: z.int().optional(),
  errors: z
    .array(z.object({ field: z.string(), message: z.string(), line: z.int().optional(), column: z.int().optional() }))
    .optional(),
  moreErrors: z.boolean().optional(),
});

const passing = [429, 502, 503, 504];

/** The error for a refused request, with the text of the problem (RFC 9457) if there is one, or else the status. */
function refusal(base: string, status: number, body: unknown): Error {
  if (status >= 300 && status <= 399)
    return new CommandError(`${base} answers with a redirect, which is not followed.`);
  const { data } = Refusal.safeParse(body);
  const code = data?.type.split('/').at(-1);
  if (code === 'version-conflict' && data?.list !== undefined && data.version !== undefined) {
    return new Problem('version-conflict', { extension: { list: data.list, version: data.version } });
  }
  if (status === 400 && data?.errors !== undefined) {
    const faults = data.errors.map(({ line = 1, column = 1, ...fault }) => ({ ...fault, line, column }));
    return new WrongFile(faults, data.moreErrors === true);
  }
  const said = data === undefined ? `${base} answers ${status}` : `${base}: ${data.title}. ${data.detail}`;
  if (status === 413) return tooLarge(printable(said));
  if (passing.includes(status)) return new CommandError(`${printable(said)} Try again.`, exitCodes.tryAgain);
  if (status === 401 || status === 403) return new CommandError(printable(said), exitCodes.notPermitted);
  return new CommandError(printable(said));
}

/** A proxy may accept less than the service, and answer with its own text. */
export function tooLarge(said: string): CommandError {
  const advice =
    'Split the file, by lists or by items, and apply one part after the other. Or run the command where the database is, without --url. A proxy in front of the service must accept 4 MiB.';
  return new CommandError(`${said}\n${advice}`, exitCodes.wrongData);
}
