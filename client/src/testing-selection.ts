// Selects the items of a list that a request to the test Frontdesk asks for.
import { languagesToTry } from './testing-language.ts';
import { isOnList, type TestItem, today } from './testing-lists.ts';
import type { Fault, ItemFields, LookupItem } from './types.ts';

interface Selection {
  include: readonly string[];
  asOf: string;
  fields: readonly string[];
  /** Each has the form `list:VALUE`. */
  where: readonly string[];
  tags: readonly string[];
  /** Has the form `system:code`. */
  code: string | undefined;
  terms: readonly string[];
  limit: number;
}

/** The values of a parameter. Those of `fields` may also be separated by commas. */
const valuesOf = (query: URLSearchParams, name: string) =>
  query.getAll(name).flatMap((text) => (name === 'fields' ? text.split(',') : [text]));

export function readSelection(query: URLSearchParams): Selection {
  return {
    include: query.getAll('include'),
    asOf: query.get('asOf') ?? today(),
    fields: valuesOf(query, 'fields'),
    where: query.getAll('where'),
    tags: query.getAll('tag'),
    code: query.get('code')?.normalize('NFC'),
    terms: termsIn(query.get('q') ?? ''),
    limit: Number(query.get('limit') ?? Number.POSITIVE_INFINITY),
  };
}

interface Parameter {
  name: string;
  form: { test(text: string): boolean };
  message: string;
  /** Maximum number of characters. */
  longest?: number;
  /** Maximum number of entries, for a parameter that may be repeated. */
  most?: number;
  /** The message for a repeated parameter, if it differs from `message`. */
  repeated?: string;
}

const value = '[A-Z][A-Z0-9]*(_[A-Z0-9]+)*';
const listName = '[a-z][a-z0-9]*(-[a-z0-9]+)*';
const machineName = 'must be letters, digits, ".", "_" and "-", beginning with a letter or digit';
const systemAndCode = 'a system and its code, like workday:JP-113';
const isDate = (text: string) =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text);

/** What `fields` returns for an item that sets none of these additional fields. */
const noFields: ItemFields = { codes: {}, tags: [], description: null, parents: {} };
const fieldNames = Object.keys(noFields) as (keyof ItemFields)[];

/** The parameters in the order in which the service checks them. */
const parameters: readonly Parameter[] = [
  { name: 'include', most: 100, form: new RegExp(`^${value}$`), longest: 64, message: 'must be UPPER_SNAKE_CASE' },
  { name: 'asOf', form: { test: isDate }, message: 'must be one date like 2027-01-31' },
  {
    name: 'fields',
    most: 20,
    form: new RegExp(`^(${fieldNames.join('|')})$`),
    message: `must be one of ${fieldNames.join(', ')}`,
  },
  {
    name: 'where',
    most: 100,
    form: new RegExp(`^${listName}:${value}$`),
    longest: 129,
    message: 'must be a list and a value, like country:DE',
  },
  { name: 'tag', most: 20, form: /^[A-Za-z0-9][A-Za-z0-9._-]*$/, longest: 50, message: machineName },
  {
    name: 'code',
    form: /^[A-Za-z0-9][A-Za-z0-9._-]{0,49}:./s,
    longest: 151,
    message: `must be ${systemAndCode}`,
    repeated: `must be given once, with ${systemAndCode}`,
  },
  { name: 'q', form: /^/, longest: 100, message: '', repeated: 'must be given once, with the words to search for' },
  { name: 'limit', form: /^([1-9]\d{0,2}|1000)$/, message: 'must be a whole number from 1 to 1000' },
];

/** Faults that an application can cause. The service checks for more. */
export function faultsOf(query: URLSearchParams, lists: ReadonlyMap<string, unknown>): Fault[] {
  const faults = parameters.flatMap((parameter) => faultsIn(parameter, valuesOf(query, parameter.name)));
  if (faults.length > 0) return faults;
  const unknown = query.getAll('where').map((pair) => pair.replace(/:.*/, ''));
  return [...new Set(unknown)]
    .filter((list) => !lists.has(list))
    .map((list) => ({ field: 'where', message: `there is no list ${list} that you may read` }));
}

function faultsIn({ name, form, message, longest = Infinity, most, repeated = message }: Parameter, given: string[]) {
  if (most === undefined && given.length > 1) return [{ field: name, message: repeated }];
  const faults = given.flatMap((text, index) => {
    const field = most === undefined ? name : `${name}.${index}`;
    return [
      ...(form.test(text) ? [] : [{ field, message }]),
      ...(text.length <= longest ? [] : [{ field, message: `must be at most ${longest} characters` }]),
    ];
  });
  const isTooMany = most !== undefined && given.length > most;
  return isTooMany ? [...faults, { field: name, message: `must have at most ${most} values` }] : faults;
}

/** The final replacement of a value of a list. */
type FinalOf = (list: string, value: string) => string;

function passes(
  { tags: own = [], codes = {}, parents = {} }: TestItem,
  { where, tags, code }: Selection,
  finalOf: FinalOf,
): boolean {
  return (
    tags.every((tag) => own.includes(tag)) &&
    (code === undefined || Object.entries(codes).some((pair) => pair.join(':') === code)) &&
    Object.entries(parents).every(([list, fitting]) => {
      const pairs = where.filter((pair) => pair.startsWith(`${list}:`));
      const chosen = pairs.map((pair) => finalOf(list, pair.slice(list.length + 1)));
      return chosen.length === 0 || fitting.some((each) => chosen.includes(finalOf(list, each)));
    })
  );
}

/** Combining marks and Hebrew points, except the marks that turn one kana into another. */
const accents = /(?![\u3099\u309a])(?:\p{sc=Inherited}|(?=\p{sc=Hebrew})\p{Mn})/gu;
const plainLetters: Record<string, string> = { æ: 'ae', ð: 'd', đ: 'd', ħ: 'h', ł: 'l', œ: 'oe', ø: 'o', ς: 'σ' };
/** Scripts without spaces between words. */
const withoutBlanks =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Tibetan}]+/gu;

const fold = (text: string) =>
  text
    .normalize('NFKD')
    .replace(accents, '')
    .replace(/[\u00ad\u2060]/g, '')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replace(/[æðđħłœøς]/g, (letter) => plainLetters[letter] ?? letter)
    .normalize('NFC');

const wordsIn = (folded: string) =>
  folded
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .replace(withoutBlanks, ' $& ')
    .split(' ')
    .filter(Boolean);

/** The terms to search for. A term that begins with a space must match the start of a word. */
function termsIn(text: string): string[] {
  const parts = fold(text).split(/\s+/).filter(Boolean);
  return parts.flatMap((part) => {
    const words = wordsIn(part);
    if (words.length === 0) return [part];
    return words.map((word) => (word.search(withoutBlanks) === 0 ? word : ` ${word}`));
  });
}

function hasTerms(label: string, terms: readonly string[]): boolean {
  const folded = fold(label);
  const searched = [...wordsIn(folded).map((word) => ` ${word}`), `\n${folded}`].join('');
  return terms.every((term) => searched.includes(term));
}

/** Each item with its label, and the language of the label; undefined for the plain label. */
export function labelled<I extends TestItem>(items: readonly I[], acceptLanguage: string) {
  const languages = languagesToTry(acceptLanguage, [
    ...new Set(items.flatMap(({ labels = {} }) => Object.keys(labels))),
  ]);
  const shown = items.map((item) => {
    const language = languages.find((tag) => item.labels?.[tag] !== undefined);
    return { item, language, label: (language && item.labels?.[language]) ?? item.label };
  });
  return { languages, shown };
}

export function itemsOf(
  items: readonly TestItem[],
  selection: Selection,
  acceptLanguage: string,
  finalOf: FinalOf,
): LookupItem[] {
  const { include, asOf, fields, terms, limit } = selection;
  const { languages, shown } = labelled(items, acceptLanguage);
  const selected = shown
    .map(({ item, language, label }, index) => ({
      item,
      language,
      answer: { id: index + 1, label, value: item.value, sortOrder: item.sortOrder ?? (index + 1) * 10 },
      isMatching: isOnList(item, asOf) && passes(item, selection, finalOf) && hasTerms(label, terms),
    }))
    .filter(({ item, isMatching }) => isMatching || include.includes(item.value));
  const { compare } = new Intl.Collator(
    languages.find((tag) => selected.some(({ language }) => language === tag)) ?? 'en',
  );
  let count = 0;
  return selected
    .sort(
      ({ answer: a }, { answer: b }) =>
        a.sortOrder - b.sortOrder || compare(a.label, b.label) || (a.value < b.value ? -1 : 1),
    )
    .filter(({ item, isMatching }) => (isMatching && count++ < limit) || include.includes(item.value))
    .map(({ item, answer }) => {
      const requested = fieldNames.filter((name) => fields.includes(name));
      return { ...answer, ...Object.fromEntries(requested.map((name) => [name, item[name] ?? noFields[name]])) };
    });
}
