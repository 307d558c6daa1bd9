// Searches source files for values that can no longer be chosen, or will soon expire.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Frontdesk } from '../index.ts';
import { CommandError } from './arguments.ts';
import { isOver, judge, type ListedValues } from './read-lists.ts';

const sourceName = /\.([cm]?[jt]sx?|vue|svelte|astro|html)$/;
const maxFiles = 20_000;
const longestFile = 2 * 1024 * 1024;
/** Maximum number of different words that could be values. */
const maxWords = 5000;
const longestValue = 64;

interface Place {
  file: string;
  line: number;
}

/** Returns a warning for each occurrence, such as `src/form.tsx:12: warning: …`. `today` is a date in UTC, such as 2027-01-31. */
export async function findWarnings(
  frontdesk: Frontdesk,
  lists: readonly ListedValues[],
  { sources, out, days, today }: { sources: readonly string[]; out: string; days: number; today: string },
): Promise<string[]> {
  const files = sources.flatMap((source) => filesIn(source)).filter((file) => file !== join(out));
  if (files.length > maxFiles) throw new CommandError('usage', `There are more than ${maxFiles} files.`);
  const places = findWords(files);
  const warnings = [
    ...(await warnAboutPast(frontdesk, lists, places)),
    ...(await warnAboutFuture(frontdesk, lists, places, days, today)),
  ];
  return warnings
    .flatMap(({ word, text }) => (places.get(word) ?? []).map((place) => ({ ...place, text })))
    .sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1))
    .map(({ file, line, text }) => `${file}:${line}: warning: ${text}`);
}

interface Warning {
  word: string;
  text: string;
}

/** The service judges only values that are named in the request, so every word that may be a value is sent. */
async function warnAboutPast(
  frontdesk: Frontdesk,
  lists: readonly ListedValues[],
  places: ReadonlyMap<string, readonly Place[]>,
): Promise<Warning[]> {
  const asked = new Map<string, string[]>();
  for (const { list, values } of lists) {
    const active = new Set(values.filter((each) => !each.isOver).map(({ value }) => value));
    asked.set(
      list,
      [...places.keys()].filter((word) => !active.has(word)),
    );
  }
  const verdicts = await judge(frontdesk, asked);
  return verdicts.filter(isOver).map(({ list, value, status, replacedBy }) => {
    const state = status === 'retired' ? 'is retired' : 'has expired';
    return { word: value, text: `${value} of ${list} ${state}${adviceFor(replacedBy)}` };
  });
}

async function warnAboutFuture(
  frontdesk: Frontdesk,
  lists: readonly ListedValues[],
  places: ReadonlyMap<string, readonly Place[]>,
  days: number,
  today: string,
): Promise<Warning[]> {
  const asOf = new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10);
  const warnings: Warning[] = [];
  for (const { list, values } of lists) {
    const used = values.filter(({ value, isOver: isPast }) => !isPast && places.has(value));
    if (used.length === 0) continue;
    const then = new Set((await frontdesk.lookup(list, { asOf })).map(({ value }) => value));
    const now = new Set((await frontdesk.lookup(list)).map(({ value }) => value));
    for (const { value, replacedBy } of used)
      if (now.has(value) && !then.has(value))
        warnings.push({ word: value, text: `${value} of ${list} expires within ${days} days${adviceFor(replacedBy)}` });
  }
  return warnings;
}

const adviceFor = (replacedBy: string | null) => (replacedBy === null ? '' : `: use ${replacedBy}`);

/** The file itself, or all source files in a folder, except packages and hidden files. */
function filesIn(source: string, isNamed = true): string[] {
  const stats = statSync(source, { throwIfNoEntry: false });
  if (stats === undefined) throw new CommandError('usage', `There is no file ${source}.`);
  if (stats.isFile()) return isNamed || sourceName.test(source) ? [join(source)] : [];
  if (!stats.isDirectory()) return [];
  return readdirSync(source)
    .filter((name) => name !== 'node_modules' && !name.startsWith('.'))
    .sort()
    .flatMap((name) => filesIn(join(source, name), false));
}

/** A word that may be a value: in quotation marks, or after the name of a list, as in Position.ACCOUNTANT. */
const candidate = /(?:(['"`])([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)\1)|\.([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)\b/g;

function findWords(files: readonly string[]): Map<string, Place[]> {
  const places = new Map<string, Place[]>();
  for (const file of files.filter((each) => statSync(each).size <= longestFile)) {
    for (const [index, text] of readFileSync(file, 'utf8').split('\n').entries()) {
      for (const word of wordsIn(text)) {
        const there = places.get(word) ?? [];
        there.push({ file, line: index + 1 });
        places.set(word, there);
      }
    }
  }
  if (places.size > maxWords)
    throw new CommandError(
      'usage',
      `These files have more than ${maxWords} words that could be values. Name fewer files.`,
    );
  return places;
}

function wordsIn(text: string): Set<string> {
  const words = [...text.matchAll(candidate)].map(([, , quoted, behindDot]) => quoted ?? behindDot ?? '');
  return new Set(words.filter((word) => word.length <= longestValue));
}
