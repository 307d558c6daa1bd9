// Documents of any size that could take disproportionately long to read: each repeats one construct.
import { mostLanguages } from '../../src/lookup/rules/list.ts';

const types = { YAML: 'application/yaml', JSON: 'application/json', CSV: 'text/csv' } as const;

interface Shape {
  name: string;
  type: (typeof types)[keyof typeof types];
  /** Makes a document of at most this many bytes. */
  make: (size: number) => string;
  /** Whether the document is valid; otherwise its errors are reported. */
  isReadable: boolean;
  /** Whether the document can also be applied. */
  isFine: boolean;
}

/** Makes a document of the head, as many parts as fit, and the tail. */
const grow =
  (head: string, part: string | ((index: number) => string), tail = '') =>
  (size: number): string => {
    const parts = [head];
    let length = head.length + tail.length;
    for (let index = 0; ; index++) {
      const next = typeof part === 'string' ? part : part(index);
      length += Buffer.byteLength(next);
      if (length > size) return `${parts.join('')}${tail}`;
      parts.push(next);
    }
  };

/** Returns short and unique codes: A, B, … Z, BA, BB, … */
function shortCode(index: number): string {
  const rest = Math.floor(index / 26);
  return `${rest === 0 ? '' : shortCode(rest)}${String.fromCharCode(65 + (index % 26))}`;
}
const lower = (index: number) => shortCode(index).toLowerCase();

const columns = (count: number) => Array.from({ length: count }, (_, index) => `,label:de-x-a${index}`).join('');
const chain = (index: number) => `a,${shortCode(index + 26)},x,true,${shortCode(index + 27)}\n`;

const labelled = (label: string) => `{"lists":{"a":{"items":[{"value":"A","label":"${label}"}]}}}`;

/** Each name begins with the format. */
const rows: [name: string, make: Shape['make'], result?: 'readable' | 'fine'][] = [
  // Maps.
  ['YAML, a flow map of many keys', grow('{', (index) => `k${index}: 1,`, '}')],
  ['YAML, a flow map of keys without values', grow('{', (index) => `${shortCode(index)},`, '}')],
  ['YAML, a block map of many keys', grow('', (index) => `k${index}: 1\n`)],
  ['YAML, one repeated key', grow('', 'a: 1\n')],
  ['YAML, empty keys', grow('', '?\n')],
  ['YAML, merge keys', grow('', (index) => `<<: {a${index}: 1}\n`)],
  ['JSON, a map of many keys', grow('{', (index) => `"k${index}":1,`, '"z":1}')],
  ['JSON, one repeated key', grow('{', '"k":1,', '"z":1}')],
  [
    'JSON, an item of many unknown fields',
    grow('{"lists":{"a":{"items":[{', (index) => `"${shortCode(index)}":1,`, '"z":1}]}}}'),
  ],
  [
    'JSON, an item of many languages',
    grow('{"lists":{"a":{"items":[{"labels":{', (index) => `"${shortCode(index)}":1,`, '"z":1}}]}}}'),
  ],
  // Anchors, aliases, tags, directives.
  ['YAML, anchors', grow('', (index) => `- &a${index} x\n`)],
  ['YAML, anchors in a map', grow('{', (index) => `&a${index} k${index}: 1,`, '}')],
  ['YAML, one repeated alias', grow('- &a x\n', '- *a\n')],
  ['YAML, an alias to each anchor', grow('', (index) => `- &a${index} x\n- *a${index}\n`)],
  [
    'YAML, aliases of aliases',
    grow('a0: &a0 [x]\n', (index) => `a${index + 1}: &a${index + 1} [*a${index},*a${index}]\n`),
  ],
  ['YAML, tags', grow('', (index) => `- !t${index} x\n`)],
  ['YAML, tags before one value', grow('- ', '!a ', 'x')],
  ['YAML, anchors before one value', grow('- ', '&a ', 'x')],
  ['YAML, a tag that never ends', grow('!<', 'a', '> x')],
  ['YAML, a set', grow('!!set {', (index) => `${shortCode(index)},`, '}')],
  ['YAML 1.1, a set', grow('%YAML 1.1\n---\n!!set {', (index) => `${shortCode(index)},`, '}')],
  ['YAML 1.1, an ordered map', grow('%YAML 1.1\n---\n!!omap [', (index) => `${shortCode(index)}: 1,`, ']')],
  ['YAML, directives', grow('', '%A\n')],
  ['YAML, tag directives', grow('', (index) => `%TAG !a${index}! tag:x,${index}:\n`, '---\na: 1\n')],
  // Nesting.
  ['YAML, nested flow sequences', (size) => '['.repeat(size / 2) + ']'.repeat(size / 2)],
  ['YAML, flow sequences that are not closed', (size) => '['.repeat(size)],
  ['YAML, nested flow maps', (size) => '{a: '.repeat(size / 5) + '}'.repeat(size / 5)],
  ['YAML, flow maps that are not closed', (size) => '{'.repeat(size)],
  ['YAML, nested sequences', (size) => '- '.repeat(size / 2)],
  ['YAML, nested keys', (size) => '? '.repeat(size / 2)],
  ['YAML, nested values', (size) => ': '.repeat(size / 2)],
  [
    'YAML, nested maps',
    (size) =>
      Array.from({ length: Math.floor(Math.sqrt(2 * size)) - 3 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join(''),
  ],
  ['JSON, nested arrays', (size) => '['.repeat(size / 2) + ']'.repeat(size / 2)],
  ['JSON, objects that are not closed', (size) => '{"a":'.repeat(size / 5)],
  // An error in every part.
  ['YAML, closing brackets', (size) => ']'.repeat(size)],
  ['YAML, commas', grow('[', ',', ']')],
  ['YAML, colons', grow('{', ': ', '}')],
  ['YAML, unknown escapes', grow('"', '\\q', '"')],
  ['YAML, tags with wrong escapes', grow('', '- !a%zz x\n')],
  ['YAML, indentation that jumps', grow('a:\n', '  b: 1\n c: 1\n')],
  // One large token.
  ['YAML, one word', (size) => 'a'.repeat(size)],
  ['YAML, one text of many lines', (size) => 'a\n'.repeat(size / 2)],
  ['YAML, one quoted text of many lines', grow('"', 'a\n', '"')],
  ['YAML, one quoted text that is not closed', (size) => `"${'a'.repeat(size - 1)}`],
  ['YAML, one literal text', grow('|\n', ' a\n')],
  ['YAML, one literal text of empty lines', grow('|\n', '\n')],
  ['YAML, one folded text', grow('>\n', '  a\n   b\n')],
  ['YAML, one long key', grow('', 'a', ': 1')],
  ['JSON, one long label', grow('{"lists":{"a":{"items":[{"value":"A","label":"', 'x', '"}]}}}')],
  ['JSON, one long value', grow('{"lists":{"a":{"items":[{"label":"x","value":"', 'A_', '"}]}}}')],
  ['JSON, one long list name', grow('{"lists":{"', 'a-', '":{"items":[{}]}}}')],
  ['JSON, a title of direction controls', (size) => `{"lists":{"a":{"title":"${'\u202e'.repeat(size / 3 - 20)}"}}}`],
  // No content.
  ['YAML, documents', (size) => '---\n'.repeat(size / 4)],
  ['YAML, document end markers', (size) => '...\n'.repeat(size / 4)],
  ['YAML, comments', (size) => '#\n'.repeat(size / 2)],
  ['YAML, comments between keys', grow('', (index) => `k${index}: 1\n#\n`)],
  ['YAML, comments before a value', grow('a:\n', '#x\n', ' b\n')],
  ['YAML, comments in a flow sequence', grow('[\n', '#x\n', ']\n')],
  ['YAML, empty lines', grow('a: 1\n', '\n')],
  ['YAML, blanks', grow('a:', ' ', '1')],
  ['YAML, empty items', (size) => '-\n'.repeat(size / 2)],
  ['YAML, empty pairs', grow('[', 'a:,', ']')],
  ['YAML, NUL bytes', (size) => '\0'.repeat(size)],
  // Lists and items.
  ['YAML, many lists', grow('lists: {', (index) => `${lower(index)}: {},`, '}')],
  ['JSON, many lists', grow('{"lists":{', (index) => `"${lower(index)}":{},`, '"z-z":{}}}')],
  ['CSV, many lists', grow('list,value,label\n', (index) => `${lower(index)},A,b\n`)],
  ['YAML, items with faults', grow('lists: {a: {items: [', '{},', ']}}')],
  ['JSON, items with faults', grow('{"lists":{"a":{"items":[', '{},', '{}]}}}')],
  ['JSON, items that are numbers', grow('{"lists":{"a":{"items":[', '1,', '1]}}}')],
  ['CSV, items with faults', grow('list,value,label\n', 'A,a,\n')],
  ['CSV, one repeated value', grow('list,value,label\n', 'a,A,b\n')],
  ['CSV, rows that are too short', grow('list,value,label\n', 'a\n')],
  [
    'CSV, replacements in a circle',
    (size) => {
      const document = grow('list,value,label,retired,replacedBy\n', chain)(size - 8);
      return document.replace(/,[A-Z]+\n$/, ',BA\n');
    },
    'readable',
  ],
  // Specific to CSV.
  ['CSV, a header of many columns', grow('list,value,label', (index) => `,c${index}`, '\n')],
  ['CSV, a header of many languages', grow('list,value,label', (index) => `,label:${lower(index)}`, '\na,B,c\n')],
  ['CSV, one repeated column', grow('list', ',list', '\n')],
  ['CSV, a long name in a wide row', grow(`list,value,label${columns(400)}\n`, 'a', `${',b'.repeat(402)}\n`)],
  ['CSV, doubled quotes', grow('list,value,label\na,A,"', '""', '"\n')],
  ['CSV, a quote that is not closed', grow('list,value,label\na,A,"', 'x')],
  ['CSV, a header of empty columns', grow('list,value,label', ',', '\n'), 'fine'],
  ['CSV, empty rows', grow('list,value,label\n', '\n'), 'fine'],
  // Slow or long for other reasons.
  ['YAML, pairs in a flow sequence', grow('[', (index) => `k${index}: v,`, ']')],
  ['YAML, question marks in a flow map', grow('{', '?,', '}')],
  ['YAML, quoted names beside their values', grow('[', '"a":b,', ']')],
  ['YAML, a sequence under a key', grow('a:\n', '- b\n')],
  ['YAML, alternating maps and sequences', grow('', 'a:\n - b:\n    - c\n')],
  ['YAML, quotes that are not closed, line by line', grow('a: "', 'x: "y\n')],
  ['YAML, byte order marks', grow('a: 1\n', '\ufeff\n')],
  ['JSON, a label of combining marks', (size) => labelled(`e${'\u0301\u0323'.repeat((size - 60) / 4)}`)],
  [
    'JSON, a long language tag',
    grow('{"lists":{"a":{"items":[{"value":"A","label":"x","labels":{"de-x', '-abcdefgh', '":"x"}}]}}}'),
  ],
  [
    'JSON, versions of lists that do not exist',
    grow('{"lists":{', (index) => (index < 999 ? `"${lower(index)}":{"version":3},` : ' '), '"z-z":{}}}'),
    'readable',
  ],
  ['CSV, one row of many fields', grow('list,value,label\n', 'a,')],
  [
    'CSV, parents in a list that does not exist',
    grow(
      'list,value,label,tags,code:a,parent:none\n',
      (index) => `a,${shortCode(index)},x,a b c,${index},A B C D E F\n`,
    ),
    'readable',
  ],
  // Valid documents.
  [
    'CSV, labels of combining marks',
    grow('list,value,label\n', (index) => `a,${shortCode(index)},e${'\u0301\u0323'.repeat(15)}\n`),
    'fine',
  ],
  [
    'CSV, tags and codes',
    grow('list,value,label,description,tags,code:a\n', (index) => `a,${shortCode(index)},x,y,a b c d e,${index}\n`),
    'fine',
  ],
  [
    'YAML, many items in flow style',
    grow('lists: {a: {items: [', (index) => `{value: ${shortCode(index)}, label: x},`, ']}}'),
    'fine',
  ],
  [
    'YAML, many items in block style',
    grow('lists:\n a:\n  items:\n', (index) => `  - value: ${shortCode(index)}\n    label: x\n`),
    'fine',
  ],
  [
    'JSON, many items',
    grow(
      '{"lists":{"a":{"items":[',
      (index) => `{"value":"${shortCode(index)}","label":"x"},`,
      '{"value":"A_Z","label":"x"}]}}}',
    ),
    'fine',
  ],
  ['CSV, many items', grow('list,value,label\n', (index) => `a,${shortCode(index)},x\n`), 'fine'],
  [
    'CSV, many labels',
    grow(
      `list,value,label${columns(mostLanguages)}\n`,
      (index) => `a,${shortCode(index)},x${',y'.repeat(mostLanguages)}\n`,
    ),
    'fine',
  ],
  [
    'CSV, one long chain of replacements',
    (size) => {
      const document = grow('list,value,label,retired,replacedBy\n', chain)(size - 8);
      return document.replace(/,true,[A-Z]+\n$/, ',,\n');
    },
    'fine',
  ],
];

export const shapes: readonly Shape[] = rows.map(([name, make, result]) => ({
  name,
  type: types[name.split(/\W/)[0] as keyof typeof types],
  make,
  isReadable: result !== undefined,
  isFine: result === 'fine',
}));
