import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { ItemValue, NewListName } from '../../../src/lookup/stored/fields.schema.ts';
import { nameFromTitle, valueFromLabel } from './value-from-label.ts';

describe('a value from a label', () => {
  const examples: [label: string, value: string][] = [
    ['Senior clerk', 'SENIOR_CLERK'],
    ['Müßiggänger', 'MUESSIGGAENGER'],
    ['Mu\u0308ller', 'MUELLER'],
    ['GROẞE ÄMTER', 'GROSSE_AEMTER'],
    ['Œuvre Łódź', 'OEUVRE_LODZ'],
    ['محاسب', 'MHSB'],
    ['会計士', 'HUIJISHI'],
    ['Бухгалтер', 'BUKHGALTER'],
    ['Λογιστής', 'LOGISTIS'],
    ['🎉', 'TADA'],
    ["Driver's licence", 'DRIVERS_LICENCE'],
    ['  Research & Development (R&D) ', 'RESEARCH_DEVELOPMENT_R_D'],
    ['3rd shift', 'V_3RD_SHIFT'],
    ['٣', 'V_3'],
    ['…', ''],
    ['', ''],
  ];
  test.each(examples)('%p is %p', (label, value) => {
    expect(valueFromLabel(label)).toBe(value);
  });

  test('has at most 64 characters, and no underscore at the end', () => {
    expect(valueFromLabel(`${'a'.repeat(63)} b`)).toBe('A'.repeat(63));
    expect(valueFromLabel('a'.repeat(1_000_000))).toBe('A'.repeat(64));
  });

  test('gets a number if it is taken', () => {
    expect(valueFromLabel('Clerk', new Set(['CLERK']))).toBe('CLERK_2');
    expect(valueFromLabel('Clerk', new Set(['CLERK', 'CLERK_2', 'CLERK_3']))).toBe('CLERK_4');
    expect(valueFromLabel('a'.repeat(64), new Set(['A'.repeat(64)]))).toBe(`${'A'.repeat(62)}_2`);
    expect(valueFromLabel(`${'a'.repeat(61)} bc`, new Set([`${'A'.repeat(61)}_BC`]))).toBe(`${'A'.repeat(61)}_2`);
  });

  test('is numbered consecutively for many rows with one label', () => {
    const taken = new Set<string>();
    for (let row = 0; row < 5_000; row++) taken.add(valueFromLabel('Clerk', taken));
    expect(taken.size).toBe(5_000);
    expect(taken.has('CLERK_5000')).toBe(true);
  });

  test('is valid and free, or empty, whatever the label is', () => {
    const label = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string());
    fc.assert(
      fc.property(label, (text) => {
        const value = valueFromLabel(text);
        if (value === '') return;
        expect(ItemValue.parse(value)).toBe(value);
        const next = valueFromLabel(text, new Set([value]));
        expect(ItemValue.parse(next)).toBe(next);
        expect(next).not.toBe(value);
      }),
      { numRuns: 2_000 },
    );
  });

  test('is never empty for a label in a script that is in use today', () => {
    for (const label of ['Ελλάδα', 'ქართული', 'हिन्दी', 'ไทย', '한국어', 'עברית', 'አማርኛ', 'မြန်မာ', 'ᏣᎳᎩ', 'தமிழ்'])
      expect([label, valueFromLabel(label)]).not.toEqual([label, '']);
  });
});

describe('the name of a list from its title', () => {
  test('is in lower case with hyphens', () => {
    expect(nameFromTitle('Größen & Maße')).toBe('groessen-masse');
    expect(nameFromTitle('2027 levels')).toBe('list-2027-levels');
    expect(nameFromTitle('Levels', new Set(['levels']))).toBe('levels-2');
  });

  test('is never a name that the service reserves', () => {
    expect(nameFromTitle('Plan')).toBe('plan-2');
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('Apply', 'plan')), (title) => {
        const name = nameFromTitle(title);
        if (name !== '') expect(NewListName.parse(name)).toBe(name);
      }),
    );
  });
});
