// Parses the command line into a command and its checked arguments.
import { parseArgs } from 'node:util';
import { closestName } from '../base/closest-name.ts';
import { type CommandName, type CommandSpec, commandTable, type Placeholder, placeholders } from './command-table.ts';
import { printable } from './printable.ts';

/** The command line is not valid. */
export class UsageError extends Error {
  constructor(faults: readonly string[], usage: string) {
    super([...faults, '', usage].join('\n'));
    this.name = 'UsageError';
  }
}

export interface Arguments {
  /** The positional arguments, in the order of the usage line. Required ones are always present. */
  words: readonly string[];
  /** The values of the options that were given. */
  options: Readonly<Record<string, string>>;
  flags: ReadonlySet<string>;
}

export type Call = { help: string } | { name: Exclude<CommandName, 'help'>; args: Arguments };

const helpWords = ['--help', '-h'];

/** Throws a UsageError that lists all faults. */
export function readCommandLine(typed: readonly string[]): Call {
  const [first = 'serve'] = typed;
  if (helpWords.includes(first)) return { help: helpAbout(typed.slice(1)) };
  if (first === '--version') return readCommand('version', typed.slice(1));
  // Options without a command are for the default command.
  if (first.startsWith('-')) return readCommand('serve', typed);
  const name = [typed.slice(0, 2).join(' '), first].find(isCommand);
  if (name !== undefined) return readCommand(name, typed.slice(name.split(' ').length));
  const [, second] = typed;
  const group = usageOfGroup(first);
  if (group !== undefined && second !== undefined && helpWords.includes(second)) return { help: group };
  throw unknownCommand(typed);
}

function readCommand(name: CommandName, given: readonly string[]): Call {
  const end = given.indexOf('--');
  if (given.slice(0, end === -1 ? undefined : end).some((word) => helpWords.includes(word))) {
    return { help: usageOfCommand(name) };
  }
  const args = readArguments(name, given);
  return name === 'help' ? { help: helpAbout(args.words) } : { name, args };
}

function helpAbout(words: readonly string[]): string {
  const name = words.join(' ');
  if (name === '') return usageOfAll();
  const usage = isCommand(name) ? usageOfCommand(name) : usageOfGroup(name);
  if (usage === undefined) throw unknownCommand(words);
  return usage;
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(commandTable, name);
}

function unknownCommand(words: readonly string[]): UsageError {
  const [first = '', second] = words;
  const group = usageOfGroup(first);
  if (group !== undefined && second === undefined) return new UsageError([`${first} needs a command.`], group);
  const name = group === undefined ? first : `${first} ${second}`;
  const groups = commandNames.flatMap((each) => (each.includes(' ') ? each.replace(/ .*/, '') : []));
  const fault = `There is no command ${printable(name)}.${didYouMean(name, [...new Set([...commandNames, ...groups])])}`;
  return new UsageError([fault], group ?? usageOfAll());
}

function readArguments(name: CommandName, given: readonly string[]): Arguments {
  const spec = commandTable[name];
  const faults: string[] = [];
  const words: string[] = [];
  const options: Record<string, string> = {};
  const flags = new Set<string>();
  for (const token of tokenize(spec, given)) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const takes = Object.hasOwn(spec.options ?? {}, token.name) ? spec.options?.[token.name] : undefined;
    const isRepeated = flags.has(token.name) || Object.hasOwn(options, token.name);
    if (takes === undefined || !token.rawName.startsWith('--')) faults.push(unknownOption(token.rawName, spec));
    else if (isRepeated) faults.push(`${token.rawName} is given more than once.`);
    else if (takes === 'flag') {
      flags.add(token.name);
      if (token.value !== undefined) faults.push(`${token.rawName} takes no value.`);
    } else if (token.value === undefined || (!token.inlineValue && token.value.startsWith('--'))) {
      faults.push(`${token.rawName} needs a value: ${takes}.`);
    } else {
      options[token.name] = token.value;
      faults.push(...check(`--${token.name}`, takes, token.value));
    }
  }
  faults.push(...checkWords(spec, words));
  const { orOption } = spec;
  if (orOption !== undefined && faults.length === 0 && words.length === (Object.hasOwn(options, orOption) ? 1 : 0)) {
    faults.push('Give exactly one of the two.');
  }
  if (faults.length > 0) throw new UsageError(faults, usageOfCommand(name));
  return { words, options, flags };
}

function tokenize(spec: CommandSpec, given: readonly string[]) {
  // One key ID in 64 begins with a dash. It must not be taken for an option.
  const isKeyId = spec.words?.[0] === 'KID' && /^-[\w-]{42}$/.test(given[0] ?? '');
  const options = Object.entries(spec.options ?? {}).map(([name, takes]) => {
    return [name, { type: takes === 'flag' ? 'boolean' : 'string' }] as const;
  });
  const args = isKeyId ? [...given.slice(1), '--', ...given.slice(0, 1)] : [...given];
  // Strict mode would throw at the first fault. Our own code reports all of them.
  return parseArgs({ args, options: Object.fromEntries(options), strict: false, tokens: true }).tokens;
}

function checkWords({ words: wanted = [] }: CommandSpec, words: readonly string[]): string[] {
  const faults: string[] = [];
  const takesMany = wanted.some((word) => word.includes('…'));
  for (const [index, word] of wanted.entries()) {
    const placeholder = word.replace(/^\[|\]$| …/g, '') as Placeholder;
    const value = words[index];
    if (value !== undefined) faults.push(...check(placeholder, placeholder, value));
    else if (!word.startsWith('[')) faults.push(`${placeholder} is missing.`);
  }
  const surplus = takesMany ? [] : words.slice(wanted.length);
  if (surplus.length > 0) faults.push(`Unexpected: ${surplus.map(printable).join(' ')}.`);
  return faults;
}

function check(name: string, placeholder: Placeholder, value: string): string[] {
  const fault = placeholders[placeholder](value);
  return fault === undefined ? [] : [`${name} ${fault}.`];
}

function unknownOption(rawName: string, { options = {} }: CommandSpec): string {
  const names = Object.keys(options).map((name) => `--${name}`);
  return `There is no option ${printable(rawName)}.${didYouMean(rawName, names)}`;
}

function didYouMean(typed: string, names: readonly string[]): string {
  const meant = closestName(typed, names, 2);
  return meant === undefined ? '' : ` Did you mean ${meant}?`;
}

const commandNames = Object.keys(commandTable) as CommandName[];

/** For example `frontdesk lookups undo LIST VERSION [--reason TEXT]`. */
function usageLine(name: CommandName): string {
  const { words = [], options = {}, orOption } = commandTable[name];
  const given = Object.entries(options).map(([option, takes]) => {
    const call = takes === 'flag' ? `--${option}` : `--${option} ${takes}`;
    return option === orOption ? `| ${call}` : `[${call}]`;
  });
  const shown = words.map((word) => (orOption === undefined ? word : word.replace(/[[\]]/g, '')));
  return ['frontdesk', name, ...shown, ...given].join(' ');
}

function usageOfCommand(name: CommandName): string {
  const { about, more } = commandTable[name];
  // `audit` is a command and also a group.
  const others = namesOfGroup(name);
  const seeAlso = others.length === 0 ? '' : `\n${rows(others)}`;
  return `Usage: ${usageLine(name)}\n\n${[about, more].filter((part) => part !== undefined).join('\n')}\n${seeAlso}`;
}

const namesOfGroup = (group: string) => commandNames.filter((name) => name.startsWith(`${group} `));

/** Usage of a group such as `keys`; undefined if there is no such group. */
function usageOfGroup(group: string): string | undefined {
  const names = namesOfGroup(group);
  return names.length === 0 ? undefined : `Usage: frontdesk ${group} COMMAND\n\n${rows(names)}`;
}

function usageOfAll(): string {
  return `Usage: frontdesk [COMMAND]\n\n${rows(commandNames)}\nfrontdesk COMMAND --help explains one command.\n`;
}

const aboutColumn = 43;

function rows(names: readonly CommandName[]): string {
  return names
    .map((name) => {
      const call = `  ${usageLine(name).replace('frontdesk ', '')}`;
      const gap = call.length < aboutColumn - 1 ? ''.padEnd(aboutColumn - call.length) : `\n${''.padEnd(aboutColumn)}`;
      return `${call}${gap}${commandTable[name].about}\n`;
    })
    .join('');
}
