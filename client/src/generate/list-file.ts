// The generated file: written from the lists, and read again for the names of their values. Pure.
import type { ListedValue, ListedValues } from './read-lists.ts';

const heading = `/* eslint-disable */
// The values of Frontdesk's lists, by \`npx frontdesk-client generate\`. Do not edit it: run the command again.
`;

/** Writes the same text for the same lists. */
export function writeListFile(lists: readonly ListedValues[]): string {
  const names = uniqueNames(lists.map(({ list }) => list));
  const members = lists.map(({ list }) => `  ${quote(list)}: ${names.get(list)};\n`);
  return `${heading}
${lists.map(({ list, values }) => writeList(list, names.get(list) ?? '', values)).join('\n')}
export interface ${generated} {
${members.join('')}}

declare module "frontdesk-client" {
  interface Lists extends ${generated} {}
}
`;
}

function writeList(list: string, name: string, values: readonly ListedValue[]): string {
  const noteOf = (item: ListedValue) => `  /** ${describe(item)} */\n`;
  const elements = values.map((item) => `${item.isOver ? noteOf(item) : ''}  ${quote(item.value)},\n`);
  const members = values.map((item) => `${noteOf(item)}  ${key(item.value)}: ${quote(item.value)},\n`);
  return `/** Every value of the list ${quoteInComment(list)}, in its order. Ask the service which may be chosen today. */
export const ${arrayOf(name)} = [
${elements.join('')}] as const;
export type ${name} = (typeof ${arrayOf(name)})[number];
export const ${name} = {
${members.join('')}} as const;
`;
}

const arrayOf = (name: string) => `${name[0]?.toLowerCase()}${name.slice(1)}Values`;

function describe({ label, isOver, replacedBy }: ListedValue): string {
  if (!isOver) return inComment(label);
  const advice = replacedBy === null ? 'can no longer be chosen.' : `use ${inComment(replacedBy)}.`;
  return `@deprecated ${inComment(label)}: ${advice}`;
}

/** A name in TypeScript for each list: overtime-eligibility is OvertimeEligibility. */
function uniqueNames(lists: readonly string[]): Map<string, string> {
  const taken = new Set([generated]);
  const names = new Map<string, string>();
  for (const list of lists) {
    const words = list.match(/[a-zA-Z0-9]+/g) ?? [];
    const joined = words.map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`).join('');
    const name = /^[A-Z]/.test(joined) ? joined : `List${joined}`;
    let unique = name;
    for (let number = 2; taken.has(unique); number++) unique = `${name}_${number}`;
    taken.add(unique);
    names.set(list, unique);
  }
  return names;
}

/**
 * Must differ from every name that the client exports, because inside `declare module`, the client's own name would
 * win.
 */
const generated = 'GeneratedLists';

/** Invisible and direction-changing characters, which are escaped. */
const invisible = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** Quotes a text as JSON, which readListFile understands. */
function quote(text: string): string {
  const asNumbers = (sign: string) =>
    Array.from({ length: sign.length }, (_, index) => sign.charCodeAt(index))
      .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
      .join('');
  return JSON.stringify(text).replaceAll(invisible, asNumbers);
}

/** Quotes a text for a comment. The result is still JSON. */
const quoteInComment = (text: string) => quote(text).replaceAll('*/', '*\\/').replaceAll('@', '\\u0040');

/**
 * Writes a property name, in brackets unless it is plain, because `__proto__` without brackets would set the prototype.
 */
const key = (value: string) => (/^[A-Z][A-Z0-9_]*$/.test(value) ? value : `[${quote(value)}]`);

/** Escapes text that would end a comment or be a tag such as @deprecated, and replaces line breaks. */
function inComment(text: string): string {
  return text.replaceAll(invisible, ' ').replaceAll('*/', '*\\/').replaceAll('@', '\\@');
}

const list =
  /^\/\*\* Every value of the list ("(?:[^"\\]|\\.)*"), [^\n]*\nexport const \w+ = \[\n([\s\S]*?)^\] as const;/gm;
const longestValue = 64;

/** Returns the values of each list, or nothing if the file has a different format. */
export function readListFile(text: string): Map<string, string[]> {
  const lists = new Map<string, string[]>();
  for (const [, name = '', body = ''] of text.matchAll(list)) {
    const quoted = [...body.matchAll(/^ {2}("[A-Z0-9_]+"),$/gm)].map(([, value = '']) => JSON.parse(value) as string);
    lists.set(
      unquote(name),
      quoted.filter((value) => value.length <= longestValue),
    );
  }
  return lists;
}

function unquote(text: string): string {
  try {
    return JSON.parse(text) as string;
  } catch {
    return '';
  }
}
