// The arguments of the command, and the errors that end it.
import { parseArgs } from 'node:util';

/** From sysexits.h, as in the service's own command line. */
export const exitCodes = { failure: 1, outOfDate: 2, usage: 64, tryAgain: 75, notPermitted: 77, configuration: 78 };

export class CommandError extends Error {
  readonly exitCode: number;

  constructor(kind: keyof typeof exitCodes, message: string) {
    super(message);
    this.exitCode = exitCodes[kind];
  }
}

export const usage = `frontdesk-client generate --url URL --out FILE

Writes the lists of a Frontdesk as TypeScript: a union and an array of the values of each list. The client's types use this file.

  --url URL      Frontdesk's address: https, or http on this machine
  --out FILE     the file to write, such as src/lists.ts
  --check        writes nothing; exits 2 if the file is out of date
  SOURCE …       with --check: files and folders to search for values that are retired or will expire soon
  --days N       how many days count as soon (default: 30)
  --person ID    who signs in at the development provider (default: E-1001)

FRONTDESK_TOKEN (an access token) or FRONTDESK_ASSERTION_FILE (of a registered caller) gives the right to read the lists. Without
either, the command signs in at the development provider that npm start runs on this machine.
Exits 75 if Frontdesk cannot be reached, 77 if it does not permit this, 78 if one of these variables is needed but not set,
64 if the arguments are wrong.
`;

export interface GenerateOptions {
  url: URL;
  out: string;
  isCheck: boolean;
  sources: string[];
  days: number;
  person: string;
}

/** Undefined if help is requested. */
export function readArguments(args: readonly string[]): GenerateOptions | undefined {
  const { values, positionals } = parse(args);
  const [command, ...sources] = positionals;
  if (values.help || command === 'help' || args.length === 0) return undefined;
  if (command !== 'generate') throw wrong(`There is no command ${JSON.stringify(command ?? '')}.`);
  if (values.url === undefined || values.out === undefined) throw wrong('--url and --out are needed.');
  const isCheck = values.check ?? false;
  if (!isCheck && sources.length > 0) throw wrong('Sources are searched only with --check.');
  if (!/^[1-9]\d{0,3}$/.test(values.days)) throw wrong('--days must be a whole number from 1 to 9999.');
  const url = readAddress(values.url);
  return { url, out: values.out, isCheck, sources, days: Number(values.days), person: values.person };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        url: { type: 'string' },
        out: { type: 'string' },
        check: { type: 'boolean' },
        days: { type: 'string', default: '30' },
        person: { type: 'string', default: 'E-1001' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    // Only the first sentence is shown, because the rest is advice about names that begin with a dash.
    const [sentence = ''] = String(error instanceof Error ? error.message : error).split(/\.\s/);
    throw wrong(`${sentence}.`);
  }
}

/** A token must not cross a network unencrypted. */
function readAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (
    url === undefined ||
    !/^https?:$/.test(url.protocol) ||
    url.username + url.password + url.search + url.hash !== ''
  )
    throw wrong('--url must be an address such as https://desk.example.com.');
  if (url.protocol === 'http:' && !isLoopback(url))
    throw wrong('--url must begin with https, unless it is on this machine.');
  return url;
}

export function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

const wrong = (message: string) => new CommandError('usage', `${message} See frontdesk-client --help.`);
