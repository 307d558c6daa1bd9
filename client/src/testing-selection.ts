// What a request to the Frontdesk for tests selects from a list.
import type { TestItem } from './testing-lists.ts';
import type { Fault } from './types.ts';

export interface Selection {
  include?: readonly string[];
  /** A date; today by default. */
  asOf?: string | undefined;
  language: string | undefined;
  fields?: readonly string[];
  /** Each as `list:VALUE`. */
  where?: readonly string[];
  tags?: readonly string[];
  /** As `system:code`. */
  code?: string | undefined;
  words?: string;
  limit?: number;
}

export function readSelection(query: URLSearchParams, language: string | undefined): Selection {
  return {
    include: query.getAll('include'),
    asOf: query.get('asOf') ?? undefined,
    language,
    fields: query.getAll('fields'),
    where: query.getAll('where'),
    tags: query.getAll('tag'),
    code: query.get('code') ?? undefined,
    words: query.get('q') ?? '',
    ...(query.has('limit') && { limit: Number(query.get('limit')) }),
  };
}

/** Faults that an application can cause. The service checks for more. */
export function faultsOf({ asOf, limit = 1, where = [] }: Selection, lists: ReadonlyMap<string, unknown>): Fault[] {
  const isDate = asOf === undefined || !Number.isNaN(Date.parse(/^\d{4}-\d\d-\d\d$/.test(asOf) ? asOf : ''));
  const isInRange = Number.isInteger(limit) && limit >= 1 && limit <= 1000;
  const unknown = where.map((pair) => pair.replace(/:.*/, '')).filter((list) => !lists.has(list));
  return [
    ...(isDate ? [] : [{ field: 'asOf', message: 'must be one date like 2027-01-31' }]),
    ...(isInRange ? [] : [{ field: 'limit', message: 'must be a whole number from 1 to 1000' }]),
    ...[...new Set(unknown)].map((list) => ({ field: 'where', message: `there is no list ${list} that you may read` })),
  ];
}

/** The final replacement of a value of a list. */
export type FinalOf = (list: string, value: string) => string;

export function passes(
  { tags: own = [], codes = {}, parents = {} }: TestItem,
  { where = [], tags = [], code }: Selection,
  finalOf: FinalOf,
) {
  return (
    tags.every((tag) => own.includes(tag)) &&
    (code === undefined || Object.entries(codes).some((pair) => pair.join(':') === code)) &&
    Object.entries(parents).every(([list, fitting]) => {
      const pairs = where.filter((pair) => pair.startsWith(`${list}:`));
      const chosen = pairs.map((pair) => finalOf(list, pair.slice(list.length + 1)));
      return chosen.length === 0 || fitting.some((value) => chosen.includes(finalOf(list, value)));
    })
  );
}

/** Scripts without spaces between words. The service handles more scripts. */
const withoutBlanks = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}]/u;
const wordsIn = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** Whether each word is the start of a word in the label. */
export function hasWords(label: string, words: string): boolean {
  const own = wordsIn(label);
  return wordsIn(words).every((word) =>
    own.some((each) => (withoutBlanks.test(word) ? each.includes(word) : each.startsWith(word))),
  );
}
