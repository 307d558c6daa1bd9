import { describe, expect, test } from 'bun:test';
import { readCommandLine, UsageError } from './arguments.ts';
import { commandTable } from './command-table.ts';

function faultOf(typed: string): string {
  const words = typed === '' ? [] : typed.split(' ');
  try {
    readCommandLine(words);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return 'none';
}

const names = Object.keys(commandTable);
const groups = [...new Set(names.filter((name) => name.includes(' ')).map((name) => name.replace(/ .*/, '')))];

describe('a wrong command line is explained, with the usage of the command', () => {
  test.each([
    ['chek', 'There is no command chek. Did you mean check?', 'frontdesk [COMMAND]'],
    ['serv', 'There is no command serv. Did you mean serve?', 'frontdesk [COMMAND]'],
    ['dance', 'There is no command dance.', 'frontdesk [COMMAND]'],
    ['toString', 'There is no command toString.', 'frontdesk [COMMAND]'],
    ['__proto__', 'There is no command __proto__.', 'frontdesk [COMMAND]'],
    ['lookup export', 'There is no command lookup. Did you mean lookups?', 'frontdesk [COMMAND]'],
    [
      'lookups udno position 3',
      'There is no command lookups udno. Did you mean lookups undo?',
      'frontdesk lookups COMMAND',
    ],
    ['keys', 'keys needs a command.', 'frontdesk keys COMMAND'],
    ['help nonsense', 'There is no command nonsense.', 'frontdesk [COMMAND]'],
    ['serve --port 4000', 'There is no option --port.', 'frontdesk serve'],
    ['--port 4000', 'There is no option --port.', 'frontdesk serve'],
    ['serve now', 'Unexpected: now.', 'frontdesk serve'],
    ['check all', 'Unexpected: all.', 'frontdesk check'],
    ['version 2', 'Unexpected: 2.', 'frontdesk version'],
    ['backup', 'FILE is missing.', 'frontdesk backup FILE'],
    ['backup a b', 'Unexpected: b.', 'frontdesk backup FILE'],
    ['lookups undo', 'LIST is missing.\nVERSION is missing.', 'frontdesk lookups undo LIST VERSION [--reason TEXT]'],
    ['lookups undo position', 'VERSION is missing.', 'frontdesk lookups undo LIST VERSION [--reason TEXT]'],
    ['lookups undo position two', 'VERSION must be a whole number from 1 to 999999999.', 'frontdesk lookups undo LIST'],
    ['lookups undo position 0', 'VERSION must be a whole number from 1 to 999999999.', 'frontdesk lookups undo LIST'],
    ['lookups undo position 1 2', 'Unexpected: 2.', 'frontdesk lookups undo LIST'],
    ['lookups apply x.yaml --reason', '--reason needs a value: TEXT.', 'frontdesk lookups apply FILE [--reason TEXT]'],
    [
      'lookups apply x.yaml --reson why',
      'There is no option --reson. Did you mean --reason?',
      'frontdesk lookups apply',
    ],
    [
      'lookups history position --limit -1',
      '--limit must be a whole number from 1 to 999999999.',
      'frontdesk lookups history',
    ],
    ['lookups history position --limit --json', '--limit needs a value: N.', 'frontdesk lookups history'],
    ['lookups export --format xml', '--format must be one of yaml, csv.', 'frontdesk lookups export [LIST …]'],
    ['lookups migration position --column NULL', '--column is not a column', 'frontdesk lookups migration LIST'],
    ['lookups export --plain=yes', '--plain takes no value.', 'frontdesk lookups export [LIST …]'],
    ['keys rotate --now --now', '--now is given more than once.', 'frontdesk keys rotate [--client] [--now]'],
    ['keys rotate -n', 'There is no option -n.', 'frontdesk keys rotate [--client] [--now]'],
    ['keys revoke', 'KID is missing.', 'frontdesk keys revoke KID'],
    ['sessions end', 'Give exactly one of the two.', 'frontdesk sessions end SESSION | --person ID'],
    ['sessions end x --person E-1', 'Give exactly one of the two.', 'frontdesk sessions end SESSION | --person ID'],
    ['people move E-1 https://idp.example', 'SUBJECT is missing.', 'frontdesk people move ID ISSUER SUBJECT'],
    [
      'people move E-1 notaurl abc',
      'ISSUER must be the http or https address',
      'frontdesk people move ID ISSUER SUBJECT',
    ],
    ['audit --since yesterday', '--since must be a day like', 'frontdesk audit [--since TIME]'],
    ['audit --since 2026-13-01', '--since must be a day like', 'frontdesk audit [--since TIME]'],
    ['audit --since 2026-02-30', '--since must be a day like', 'frontdesk audit [--since TIME]'],
    ['audit --since 2026-02-28T24:00:00Z', '--since must be a day like', 'frontdesk audit [--since TIME]'],
    ['audit --limit many', '--limit must be a whole number from 1 to 999999999.', 'frontdesk audit'],
    ['audit --type sign-on', '--type must be one of sign-in, ', 'frontdesk audit'],
    ['sessions list --url https://desk.example', 'There is no option --url.', 'frontdesk sessions list'],
    // The address must be https, because a token is sent to it.
    ['lookups plan a.yaml --url http://desk.example', '--url must be https.', 'frontdesk lookups plan'],
    ['lookups plan a.yaml --url ftp://desk.example', '--url must be the address of', 'frontdesk lookups plan'],
    ['lookups plan a.yaml --url https://me:x@desk.example', '--url must be the address of', 'frontdesk lookups plan'],
    ['audit --toString', 'There is no option --toString.', 'frontdesk audit'],
  ])('frontdesk %s', (typed, fault, usage) => {
    expect(faultOf(typed)).toStartWith(fault);
    expect(faultOf(typed)).toContain(`\n\nUsage: ${usage}`);
  });

  test('all faults are reported at once', () => {
    expect(faultOf('audit --limit x --since y z')).toMatch(/^--limit must .*\n--since must .*\nUnexpected: z\.\n\n/);
  });

  test.each(names)('%s accepts only its own options', (name) => {
    expect(faultOf(`${name} --nonsense`)).toContain('There is no option --nonsense.');
  });

  test('control characters are not repeated', () => {
    expect(faultOf('\u001b[2J')).toStartWith('There is no command ?[2J.');
  });
});

describe('help', () => {
  test.each(names)('frontdesk %s --help', (name) => {
    const usage = expect.stringContaining(`Usage: frontdesk ${name}`);
    for (const words of [`${name} --help`, `${name} x -h`, `help ${name}`, `--help ${name}`]) {
      expect(readCommandLine(words.split(' '))).toEqual({ help: usage });
    }
  });

  test.each(groups)('frontdesk %s --help names its commands', (group) => {
    const ours = names.filter((name) => name.startsWith(`${group} `));
    for (const typed of [`${group} --help`, `help ${group}`]) {
      const call = readCommandLine(typed.split(' '));
      for (const name of ours) expect(call).toEqual({ help: expect.stringContaining(`  ${name}`) });
    }
  });

  test.each(['help', '--help', '-h'])('frontdesk %s names every command', (typed) => {
    for (const name of names) expect(readCommandLine([typed])).toEqual({ help: expect.stringContaining(`  ${name}`) });
  });
});

describe('a valid command line', () => {
  const argsOf = (typed: string) => {
    const call = readCommandLine(typed.split(' '));
    return 'help' in call ? call : { name: call.name, ...call.args, flags: [...call.args.flags] };
  };

  test('no command means serve, and --version means version', () => {
    expect(readCommandLine([])).toMatchObject({ name: 'serve' });
    expect(argsOf('--version')).toMatchObject({ name: 'version' });
  });

  test('has positional arguments, flags, and options with or without an equals sign', () => {
    const expected = {
      name: 'lookups export' as const,
      words: ['a', 'b'],
      options: { format: 'csv' },
      flags: ['plain'],
    };
    expect(argsOf('lookups export a --plain b --format=csv')).toEqual(expected);
    expect(argsOf('lookups export --format csv a b --plain')).toEqual(expected);
  });

  test('a key ID and a word after -- may begin with a dash', () => {
    const kid = `-${'x'.repeat(42)}`;
    expect(argsOf(`keys revoke ${kid}`)).toMatchObject({ words: [kid] });
    expect(argsOf('people move E-1 https://idp.example -- --help')).toMatchObject({
      words: ['E-1', 'https://idp.example', '--help'],
    });
  });

  test('the development provider is an issuer, too', () => {
    expect(argsOf('people move E-1 urn:frontdesk:development E-1')).toMatchObject({ name: 'people move' });
  });

  test.each(['2026-11-15', '2026-11-15T09:30:00Z', '2026-11-15T09:30+01:00'])('%s is a time', (time) => {
    expect(argsOf(`audit --since ${time}`)).toMatchObject({ options: { since: time } });
  });
});
