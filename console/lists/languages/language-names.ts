// Finds and names languages, in the console's language and in the language itself. Users need not know tags.
import { fold } from '../../../src/lookup/rules/fold.ts';
import { canonicalTag, namesLanguage } from '../../../src/lookup/rules/label-language.ts';
import { browserLocale, textLanguage } from '../../parts/catalogue.ts';
import { languageTags, ownNames, regionCodes, variantTags } from './language-data.ts';

export interface Language {
  tag: string;
  /** The name in the console's language. */
  name: string;
  /** The name in the language itself; the same as `name` if it is not known. */
  ownName: string;
}

const maxFound = 50;

export const namesIn = (locale: string, languageDisplay: 'standard' | 'dialect' = 'standard') =>
  new Intl.DisplayNames([locale], { type: 'language', languageDisplay, fallback: 'none' });

const names = namesIn(textLanguage);
/** The alternative names, such as `Brazilian Portuguese` for `Portuguese (Brazil)`. */
const dialectNames = namesIn(textLanguage, 'dialect');
const collator = new Intl.Collator(textLanguage);

/** The canonical tag, if the text is a tag: `pt_br` becomes `pt-BR`. */
export function languageTagOf(text: string): string | undefined {
  const tag = canonicalTag(text.trim().replaceAll('_', '-'));
  return tag !== undefined && namesLanguage(tag) ? tag : undefined;
}

/** Caches the names of languages, because every cell of a grid needs one. */
const nameOf = new Map<string, string>();

/** Falls back to the tag. */
export function languageName(tag: string): string {
  const name = nameOf.get(tag) ?? nameBy(names, tag, textLanguage) ?? tag;
  nameOf.set(tag, name);
  return name;
}

export function findLanguage(tag: string): Language {
  const name = languageName(tag);
  // For an unsupported language, the browser would return the name in its default language.
  const isSupported = Intl.DisplayNames.supportedLocalesOf([tag]).length > 0;
  const ownName = isSupported ? nameBy(namesIn(tag), tag, tag) : capitalized(ownNames.get(tag), tag);
  return { tag, name, ownName: ownName ?? name };
}

function nameBy(display: Intl.DisplayNames, tag: string, locale: string): string | undefined {
  try {
    return capitalized(display.of(tag), locale);
  } catch {
    return undefined;
  }
}

const capitalized = (name: string | undefined, locale: string) =>
  name && name.charAt(0).toLocaleUpperCase(locale) + name.slice(1);

interface Entry {
  language: Language;
  /** The texts that a search is compared with. */
  searched: string[];
}

function entryOf(tag: string): Entry {
  const language = findLanguage(tag);
  const dialect = nameBy(dialectNames, tag, textLanguage) ?? '';
  return { language, searched: [language.name, language.ownName, dialect].map(fold) };
}

let known: Entry[] | undefined;

/** Built on the first search, because naming all languages takes about 50 ms. */
function knownLanguages(): Entry[] {
  if (known !== undefined) return known;
  // Browsers give some tags the same name. Only the first tag with each name is offered.
  const byName = new Map<string | undefined, string>();
  for (const tag of [...languageTags, ...variantTags]) {
    const name = nameBy(names, tag, textLanguage);
    if (!byName.has(name)) byName.set(name, tag);
  }
  byName.delete(undefined);
  known = [...byName.values()].map(entryOf).sort((a, b) => collator.compare(a.language.name, b.language.name));
  return known;
}

/**
 * Finds the languages whose name, own name or tag matches the text, best match first, except those in `used`. An empty
 * text finds all languages, the browser's languages first.
 */
export function findLanguages(text: string, used: Iterable<string> = []): Language[] {
  const taken = new Set(used);
  const isFree = ({ language }: Entry) => !taken.has(language.tag);
  const wanted = fold(text.trim());
  if (wanted === '') return inBrowserFirst(knownLanguages().filter(isFree)).map(({ language }) => language);
  const found = ranked(knownLanguages(), wanted);
  const typed = languageTagOf(text);
  const isOther = typed !== undefined && !found.some(({ language }) => language.tag === typed);
  const more = isOther && isNamed(typed) ? [entryOf(typed)] : [];
  const all = [...more, ...found, ...(found.length === 0 ? withRegion(wanted) : [])];
  return all
    .filter(isFree)
    .slice(0, maxFound)
    .map(({ language }) => language);
}

/** Whether the language and the region of a tag have names, since any word of two or three letters could be a tag. */
function isNamed(tag: string): boolean {
  const { language, region } = new Intl.Locale(tag);
  const isKnown = nameBy(names, language, textLanguage) !== undefined;
  return isKnown && (region === undefined || nameBy(regionNames, region, textLanguage) !== undefined);
}

const regionNames = new Intl.DisplayNames([textLanguage], { type: 'region', fallback: 'none' });

/** Finds a language with an unusual region, such as `German Liechtenstein`. */
function withRegion(wanted: string): Entry[] {
  const [first = '', ...rest] = wanted.split(/[\s(),]+/).filter((word) => word !== '');
  if (rest.length === 0) return [];
  const plain = knownLanguages().filter(
    ({ language, searched }) => !language.tag.includes('-') && searched.some((name) => name.startsWith(first)),
  );
  const regions = regionCodes.filter((code) => begins(fold(regionNames.of(code) ?? ''), rest.join(' ')));
  return plain.slice(0, 3).flatMap(({ language }) => regions.map((region) => entryOf(`${language.tag}-${region}`)));
}

const begins = (text: string, wanted: string) => ` ${text.replaceAll(/[\s(),-]+/g, ' ')}`.includes(` ${wanted}`);

function ranked(entries: readonly Entry[], wanted: string): Entry[] {
  const asTag = wanted.replaceAll('_', '-');
  const rank = ({ language: { tag }, searched }: Entry) => {
    const lowerTag = tag.toLowerCase();
    if (lowerTag === asTag) return 0;
    if (searched.some((name) => name.startsWith(wanted))) return 1;
    if (lowerTag.startsWith(`${asTag}-`)) return 2;
    if (searched.some((name) => begins(name, wanted))) return 3;
    return wanted.length > 2 && searched.some((name) => name.includes(wanted)) ? 4 : 5;
  };
  const found = entries.map((entry) => ({ entry, rank: rank(entry) })).filter((each) => each.rank < 5);
  // Entries are already sorted by name, and sort() is stable.
  return found.sort((a, b) => a.rank - b.rank).map(({ entry }) => entry);
}

function inBrowserFirst(entries: readonly Entry[]): Entry[] {
  const wanted = new Set(
    (globalThis.navigator?.languages ?? [browserLocale ?? '']).flatMap((tag) => [tag, tag.split('-')[0]]),
  );
  const isWanted = ({ language }: Entry) => wanted.has(language.tag);
  return [...entries.filter(isWanted), ...entries.filter((entry) => !isWanted(entry))];
}
