// Valid and invalid values made from a JSON schema. Supports the keywords that the contract uses.
import type { Random } from './random.ts';

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  pattern?: string;
  enum?: unknown[];
  const?: unknown;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: Schema;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | false;
}

/** What a careless or hostile client might send as a value. */
export const oddities: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER + 1,
  '',
  ' ',
  '\0',
  '\u2028',
  '\ud800',
  '\u202e',
  '\uffff',
  'é😀',
  "'; --",
  '__proto__',
  'constructor',
  'x'.repeat(3000),
  '9'.repeat(40),
  '2027-02-30',
  '9999-12-31T23:59:59Z',
  [],
  [[]],
  {},
  { a: { b: {} } },
];

/** Makes a value that this schema allows. Sometimes uses one of `names`, if the pattern allows it. */
export function makeValue(
  schema: Schema,
  schemas: Record<string, Schema>,
  names: readonly string[],
  random: Random,
): unknown {
  const make = (part: Schema): unknown => makeValue(part, schemas, names, random);
  if (schema.$ref !== undefined) return make(schemas[schema.$ref.split('/').pop() ?? ''] ?? {});
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return random.pick(schema.enum);
  if (schema.anyOf !== undefined) return make(random.pick(schema.anyOf));
  switch (Array.isArray(schema.type) ? random.pick(schema.type) : schema.type) {
    case 'string':
      return makeText(schema, names, random);
    case 'integer':
    case 'number':
      return makeNumber(schema, random);
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    case 'array':
      return Array.from({ length: random.below(4) }, () => make(schema.items ?? {}));
    case 'object':
      return makeObject(schema, make, names, random);
    default:
      return random.pick(oddities);
  }
}

function makeObject(schema: Schema, make: (part: Schema) => unknown, names: readonly string[], random: Random) {
  const { properties = {}, required = [], additionalProperties } = schema;
  const given = Object.entries(properties).filter(([key]) => required.includes(key) || random.chance(0.4));
  const others = additionalProperties ? Array.from({ length: random.below(3) }, () => random.pick(names)) : [];
  return Object.fromEntries([
    ...given.map(([key, part]) => [key, make(part)]),
    ...others.map((key) => [key, make(additionalProperties || {})]),
  ]);
}

function makeNumber({ minimum = -1000, maximum = 1_000_000 }: Schema, random: Random): number {
  return random.pick([minimum, maximum, minimum + random.below(Math.min(maximum - minimum, 500) + 1)]);
}

function makeText(
  { format, pattern, minLength = 0, maxLength = 30 }: Schema,
  names: readonly string[],
  random: Random,
) {
  const day = `20${20 + random.below(20)}-0${1 + random.below(9)}-1${random.below(10)}`;
  if (format === 'date') return day;
  if (format === 'date-time') return `${day}T08:00:00.000Z`;
  if (format === 'uri') return `https://example.org/${random.below(1000)}`;
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  const length = Math.max(minLength, 1 + random.below(Math.min(maxLength, 8)));
  const word = Array.from({ length }, () => random.pick([...letters])).join('');
  const fits = new RegExp(pattern ?? '');
  const known = names.filter((name) => fits.test(name));
  if (known.length > 0 && random.chance(0.6)) return random.pick(known);
  const candidates = [word, word.toUpperCase(), `${word} ${random.pick(['ä', '日本', 'é'])}`.slice(0, maxLength)];
  return candidates.filter((text) => fits.test(text))[pattern === undefined ? random.below(3) : 0] ?? word;
}

/** Returns the value with a fault somewhere: a wrong type, something missing, something added, something extreme. */
export function spoil(value: unknown, random: Random): unknown {
  if (Array.isArray(value) && value.length > 0 && random.chance(0.6)) {
    const place = random.below(value.length);
    const extended = random.chance(0.2) ? Array.from({ length: 1200 }, () => value[place]) : value;
    return extended.map((part, index) => (index === place ? spoil(part, random) : part));
  }
  if (typeof value === 'object' && value !== null && random.chance(0.8)) {
    const entries = Object.entries(value);
    const place = random.below(entries.length);
    switch (random.below(4)) {
      case 0:
        return Object.fromEntries(entries.filter((_, index) => index !== place));
      case 1:
        return Object.fromEntries([...entries, [random.pick(['extra', '', 'id', 'a.b', 'ä']), random.pick(oddities)]]);
      default:
        return Object.fromEntries(
          entries.map(([key, part], index) => [key, index === place ? spoil(part, random) : part]),
        );
    }
  }
  return random.pick(oddities);
}
