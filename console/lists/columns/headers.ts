// Recognises the columns of imported files by their English or German headers, and names the columns of exports.

import { fold } from '../../../src/lookup/rules/fold.ts';
import { languageTags, variantTags } from '../languages/language-data.ts';
import { languageName, languageTagOf, namesIn } from '../languages/language-names.ts';
import { columnNames, type PlainField, itemColumnTexts as texts } from './texts.ts';

/**
 * A field of an item, named as the service's CSV names its columns: `label`, `validFrom`, `label:de`, `code:workday`,
 * `parent:country`.
 */
export type Field = string;

/** The fields without a key. (`label:de` has the key `de`.) */
export const plainFields = Object.keys(columnNames) as PlainField[];
/** Fields in the order of exports. A prefix such as `label:` stands for all fields with that prefix. */
export const columnOrder: Field[] = plainFields.flatMap((field) => {
  if (field === 'label') return [field, 'label:'];
  return field === 'tags' ? [field, 'code:', 'parent:'] : [field];
});

const fieldByName = new Map(plainFields.flatMap((field) => columnNames[field].map((name) => [name, field] as const)));
const labelNames = new Set([...columnNames.label, 'translation', 'ubersetzung']);
const codeWords =
  /^(?:code|codes|kennzeichen|kurzel|id)\s+(?:in\s+|von\s+|for\s+)?(.+)$|^(.+?)\s+(?:code|id|kurzel|kennzeichen)$/;
const parentWords = /^(?:parent|only with|only for|offered with|nur mit|nur fur|nur bei|ubergeordnet)\s+(.+)$/;

export interface KnownNames {
  /** The systems for which items have codes. */
  systems: Iterable<string>;
  /** The names of lists, and their titles in every language. */
  lists: Iterable<{ list: string; title: string; titles: Readonly<Record<string, string>> }>;
}

/** Undefined if the header is not recognised. */
export function fieldOfHeader(header: string, known: KnownNames): Field | undefined {
  return ownColumn(header.trim()) ?? fieldByWords(header, known);
}

/** Recognises the headers of files that the service or the console exported. */
function ownColumn(header: string): Field | undefined {
  if (plainFields.some((field) => field === header) || /^(?:label|code|parent):\S+$/.test(header)) return header;
  const code = /^code:\s*([a-z0-9][a-z0-9._-]*)$/i.exec(header)?.[1];
  if (code !== undefined) return `code:${code}`;
  const parent = /^(?:only with|nur mit):\s*([a-z][a-z0-9-]*)$/i.exec(header)?.[1];
  return parent === undefined ? undefined : `parent:${parent}`;
}

function fieldByWords(header: string, known: KnownNames): Field | undefined {
  const words = plainWords(header);
  if (words === '') return undefined;
  const plain = fieldByName.get(words);
  if (plain !== undefined) return plain;
  return translationField(header, words) ?? codeField(words, known.systems) ?? parentField(words, known.lists);
}

/** Recognises `German`, `de`, `Label (German)`, `Bezeichnung Deutsch`, `Deutsche Bezeichnung` and `Label DE`. */
function translationField(header: string, words: string): Field | undefined {
  const whole = languageOf(header);
  if (whole !== undefined) return `label:${whole}`;
  const inBrackets = /^(.+?)\s*[([](.+)[)\]]\s*$/.exec(header.trim());
  if (inBrackets !== null && labelNames.has(plainWords(inBrackets[1] ?? ''))) {
    const language = languageOf(inBrackets[2] ?? '');
    if (language !== undefined) return `label:${language}`;
  }
  for (const name of labelNames) {
    const rest = words.startsWith(`${name} `)
      ? words.slice(name.length + 1)
      : words.endsWith(` ${name}`)
        ? words.slice(0, -name.length - 1)
        : undefined;
    // Removes the ending of `Deutsche` in `Deutsche Bezeichnung`, and the preposition in `Label auf Deutsch`.
    const language = rest && languageOf(rest.replace(/^(?:in|auf)\s+/, '').replace(/(?<=sch)e$/, ''));
    if (language) return `label:${language}`;
  }
  return undefined;
}

function codeField(words: string, systems: Iterable<string>): Field | undefined {
  const match = codeWords.exec(words);
  const name = match?.[1] ?? match?.[2];
  for (const system of systems) {
    if (plainWords(system) === (name ?? words)) return `code:${system}`;
  }
  const system = name?.replaceAll(' ', '-');
  return system !== undefined && /^[a-z0-9][a-z0-9._-]{0,49}$/.test(system) ? `code:${system}` : undefined;
}

function parentField(words: string, lists: KnownNames['lists']): Field | undefined {
  const name = parentWords.exec(words)?.[1];
  for (const { list, title, titles } of lists) {
    if ([list, title, ...Object.values(titles)].some((known) => plainWords(known) === name)) return `parent:${list}`;
  }
  return undefined;
}

let tagByName: Map<string, string> | undefined;

/** Finds the tag of a language by its name (`German`, `Deutsch`, `Portuguese (Brazil)`) or by the tag itself. */
function languageOf(name: string): string | undefined {
  tagByName ??= indexNames();
  return tagByName.get(plainWords(name)) ?? knownTag(name);
}

const known = new Set(languageTags);

/** Accepts `de`, `pt-BR` and `pt_br`, but only known languages, since any word of two letters could be a tag. */
function knownTag(text: string): string | undefined {
  const tag = /^\s*[a-z]{2,3}(?:[-_][a-z0-9]{2,8})*\s*$/i.test(text) ? languageTagOf(text) : undefined;
  return tag !== undefined && known.has(tag.split('-')[0] ?? '') ? tag : undefined;
}

/**
 * Maps each name of a language to its tag. English and German names are added first: if two languages share a name, the
 * language that was added first keeps it.
 */
function indexNames(): Map<string, string> {
  const names = new Map<string, string>();
  const tags = [...languageTags, ...variantTags];
  const add = (tag: string, name: string | undefined) => {
    const plain = plainWords(name ?? '');
    if (plain !== '' && !names.has(plain)) names.set(plain, tag);
  };
  for (const locale of ['en', 'de']) {
    for (const display of ['standard', 'dialect'] as const) {
      const languageNames = namesIn(locale, display);
      for (const tag of tags) add(tag, languageNames.of(tag));
    }
  }
  for (const tag of Intl.DisplayNames.supportedLocalesOf(tags)) add(tag, namesIn(tag).of(tag));
  return names;
}

/**
 * The title of a field, which is also the header of its exported column. If the import would recognise a language's name
 * as a different language, the title contains the language's tag instead.
 */
export function fieldTitle(field: Field): string {
  const plain = plainFields.find((each) => each === field);
  if (plain !== undefined) return texts[plain];
  const key = field.slice(field.indexOf(':') + 1);
  if (field.startsWith('code:')) return texts.codeIn(key);
  if (field.startsWith('parent:')) return texts.onlyWith(key);
  const name = languageName(key);
  return texts.labelIn(languageOf(name) === key ? name : key);
}

/** Removes case, accents and punctuation: `Gültig ab:` becomes `gultig ab`, and `validFrom` becomes `valid from`. */
export function plainWords(text: string): string {
  return fold(text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'))
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Removes case and accents, but keeps punctuation. */
export const plainLabel = (text: string) => fold(text).replace(/\s+/g, ' ').trim();
