import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { Glob } from 'bun';
import { networkError, notSignedIn, otherPerson, unexpectedAnswer } from '../../../client/src/error.ts';
import { problemTable } from '../../../src/http/problem-table.ts';
import { germanClientProblems, germanFaults, germanProblems } from './service.de.ts';
import { germanSentence, translateSentence } from './service-sentences.ts';

/**
 * The sentences that the service builds from each text with parameters. The test fails for a new text until its
 * sentences are listed here.
 */
const madeOf: Record<string, string[]> = {
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: the keys are copied from the source
  "must be ${types[issue.expected] ?? 'of another type'}": [
    'must be text',
    'must be a number',
    'must be a whole number',
    'must be true or false',
    'must be an array',
    'must be an object',
    'must be null',
    'must be of another type',
  ],
  'must ${verbOf(issue)} at most ${issue.maximum}${unitOf(issue)}': [
    'must be at most 7 characters',
    'must have at most 7 entries',
    'must be at most 7',
  ],
  'must ${verbOf(issue)} at least ${issue.minimum}${unitOf(issue)}': [
    'must be at least 7 characters',
    'must have at least 7 entries',
    'must be at least 7',
  ],
  "must be one of ${issue.values.join(', ')}": ['must be one of codes, tags, description, parents'],
  'is already used by ${holder}': ['is already used by SENIOR_CLERK'],
  'must have at most ${mostOfItem[field]} ${what}': ['must have at most 20 systems', 'must have at most 10 lists'],
  'must have at most ${mostLanguages} languages': ['must have at most 100 languages'],
  'would give the list more than ${mostLanguages} languages': ['would give the list more than 100 languages'],
  'must be at most ${list.version}': ['must be at most 7'],
  'has a value that is not in that list: ${value}': ['has a value that is not in that list: FR'],
  'The row has ${row.length} fields, but the header has ${head.length}': ['The row has 3 fields, but the header has 4'],
  'At most ${mostColumns} columns': ['At most 500 columns'],
  'At most ${mostLists} lists': ['At most 1000 lists'],
  'At most ${mostItems} items at once: split the document': ['At most 50000 items at once: split the document'],
  'At most ${mostParents} different values of other lists at once: split the document': [
    'At most 50000 different values of other lists at once: split the document',
  ],
  'Not valid JSON: "${sign}" expected here': ['Not valid JSON: "}" expected here'],
  "Not valid YAML (${code.toLowerCase().replaceAll('_', ' ')})": ['Not valid YAML (unexpected token)'],
  'Nested more than ${deepest} levels deep': ['Nested more than 32 levels deep'],
  "is a reserved name: ${reservedNames.join(' and ')} are addresses of the service under /admin/lookups": [
    'is a reserved name: apply and plan are addresses of the service under /admin/lookups',
  ],
  'must be an array of ${what}': ['tags', 'roles', 'values'].map((what) => `must be an array of ${what}`),
  'must have at most ${most} ${what}': ['tags', 'roles', 'values'].map((what) => `must have at most 50 ${what}`),
  'must have no duplicate ${what}': ['tags', 'roles', 'values'].map((what) => `must have no duplicate ${what}`),
  'must have at most ${mostValues} values, in all lists together': [
    'must have at most 1000 values, in all lists together',
  ],
  'must have at most ${most} values': ['must have at most 100 values'],
  'must be a whole number from ${from} to ${to}': ['must be a whole number from 1 to 1000'],
  'must be given once, with ${what}': [
    'must be given once, with the words to search for',
    'must be given once, with a system and its code, like workday:JP-113',
  ],
  'must be written ${name}, not ${findMisspelled(input)}': ['must be written asOf, not as_of'],
  'must be at most ${mostCharacters} characters': ['must be at most 200 characters'],
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: as above
};

const literal = /'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g;
const comment = /^\s*(\/\/|\/?\*).*$/gm;

/** Finds the fault messages in the source, but messages about documents only in the files that read documents. */
function textsInSource(): string[] {
  const folders = ['src/lookup/**/*.ts', 'src/http/*.ts', 'src/**/*.schema.ts', 'src/**/*.routes.ts'];
  const files = folders.flatMap((folder) => [...new Glob(folder).scanSync('.')]);
  const found = files
    .filter((file) => !file.endsWith('.test.ts') && !file.endsWith('problem-table.ts'))
    .flatMap((file) => {
      const source = readFileSync(file, 'utf8').replaceAll(comment, '');
      return Array.from(source.matchAll(literal), (match) => ({
        text: match[1] ?? match[2] ?? '',
        before: source.slice(Math.max(0, match.index - 40), match.index),
        isOfDocument: /lookup\/(documents|changing)\//.test(file) && !file.endsWith('.routes.ts'),
      }));
    })
    .filter(({ text, before, isOfDocument }) => {
      if (/^(must|is|has) \S/.test(text)) return true;
      const isMessage = isOfDocument ? !/description: $|Error\(\s*$/.test(before) : /message: $/.test(before);
      return isMessage && /^[A-Z][a-z]+ \S|^Not |^A name/.test(text);
    });
  return [...new Set(found.map(({ text }) => text))].filter((text) => !documentation.includes(text));
}

/** Texts that are only in the API description and are never sent. */
const documentation = ['Its version'];

const sentences = textsInSource().flatMap((text) => (text.includes('${') ? (madeOf[text] ?? [text]) : [text]));

describe('every sentence of the service has a German one', () => {
  test('the source is searched', () => {
    expect(sentences.length).toBeGreaterThan(90);
    expect(sentences).toContain('Quote not closed');
    expect(sentences).toContain('Already exists (may be retired)');
  });

  test.each(sentences)('%s', (sentence) => {
    expect(germanSentence(sentence)).toBeString();
    expect(germanSentence(sentence)).not.toContain('{');
  });

  test.each(Object.entries(problemTable))('title and detail of %s', (_, { title, detail }) => {
    expect(germanSentence(title)).toBeString();
    expect(germanSentence(detail)).toBeString();
  });

  test.each([networkError(undefined), unexpectedAnswer(502), notSignedIn(), otherPerson()])(
    'of the client library: %s',
    ({ title, detail }) => {
      expect(germanSentence(title)).toBeString();
      expect(germanSentence(detail)).toBeString();
    },
  );
});

test('every German sentence translates one that the service still sends', () => {
  const sent = Object.values(problemTable).flatMap(({ title, detail }): string[] => [title, detail]);
  expect(Object.keys(germanProblems).filter((english) => !sent.includes(english))).toEqual([]);
  const translated = new Set(sentences.map(germanSentence));
  const unused = Object.entries(germanFaults).filter(
    ([english, german]) => !english.includes('{') && !translated.has(german),
  );
  expect(unused).toEqual([]);
  expect(Object.keys(germanClientProblems).length).toBe(8);
});

test('parameters are put into the German sentence', () => {
  expect(germanSentence('must be at most 200 characters')).toBe('Darf höchstens 200 Zeichen haben');
  expect(germanSentence('must be written asOf, not as_of')).toBe('Muss asOf geschrieben werden, nicht as_of');
  expect(germanSentence('Not valid JSON: "}" expected here')).toBe('Kein gültiges JSON: Hier wird „}“ erwartet');
  expect(
    ['', ' with the value "B"', ' with the version "9"'].map((more) => germanSentence(`There is no list "a"${more}.`)),
  ).toEqual([
    'Es gibt keine Liste „a“.',
    'Es gibt keine Liste „a“ mit dem Wert „B“.',
    'Es gibt keine Liste „a“ mit der Version „9“.',
  ]);
});

test('a sentence that is not known stays as it is', () => {
  expect(germanSentence('constructor')).toBeUndefined();
  expect(translateSentence('something new')).toBe('Something new');
});
