import { describe, expect, test } from 'bun:test';
import { shapes } from '../../../test/support/document-shapes.ts';
import { WrongFile } from './faults.ts';
import { type FileFormat, readDocument } from './read-document.ts';

const read = (format: FileFormat, text: string) => readDocument(new TextEncoder().encode(text), format);

function refusal(format: FileFormat, text: string): WrongFile {
  try {
    read(format, text);
  } catch (error) {
    if (error instanceof WrongFile) return error;
    throw error;
  }
  throw new Error('it was read');
}

const told = (format: FileFormat, text: string) =>
  refusal(format, text).faults.map(({ line, column, field, message }) => `${line}:${column} ${field}: ${message}`);

const formats = { 'application/yaml': 'yaml', 'application/json': 'json', 'text/csv': 'csv' } as const;

describe('a document', () => {
  test.each(shapes.map((shape) => [shape.name, shape] as const))(
    'is read, or refused with at most a hundred faults: %s',
    (name, { type, make, isReadable = false }) => {
      // The shape with many lists needs this size to exceed the maximum number of lists.
      const text = make((name.endsWith('many lists') ? 12 : 6) * 1024);
      if (isReadable) return void read(formats[type], text);
      const { faults } = refusal(formats[type], text);
      expect(faults.length).toBeWithin(1, 101);
      expect(JSON.stringify(faults).length).toBeLessThan(50_000);
    },
  );

  test('with more faults than are reported is refused with `hasMore`', () => {
    const rows = (count: number) => `list,value,label\n${'x,a,\n'.repeat(count)}`;
    expect(refusal('csv', rows(10)).hasMore).toBe(false);
    const many = refusal('csv', rows(1000));
    expect([many.faults.length, many.hasMore]).toEqual([100, true]);
  });

  test('has at most 1,000 lists', () => {
    const lists = (count: number) => `{"lists":{${Array.from({ length: count }, (_, index) => `"a${index}":{}`)}}}`;
    expect(Object.keys(read('json', lists(1000)).document.lists)).toHaveLength(1000);
    expect(told('json', lists(1001))).toEqual(['1:10 lists: At most 1000 lists']);
  });

  test('in CSV has at most 500 columns', () => {
    const head = (count: number) =>
      `list,value,label${Array.from({ length: count - 3 }, (_, index) => `,label:de-x-a${index}`).join('')}\n`;
    expect(read('csv', head(500)).document).toEqual({ lists: {} });
    expect(told('csv', head(501)).map((each) => each.replace(/^1:\d+/, ''))).toEqual([' : At most 500 columns']);
  });
});

describe('JSON', () => {
  test.each([
    '{"lists": {"a": {"items": [{"value": "A", "label": "\\u00e9 \\n"}]}}, "version": -1.5e+3}',
    '[]',
    '{}',
    '""',
    '0',
    '-0',
    '1E5',
    'true',
    'null',
    ' [1 , 2]\r\n\t',
    '"\\\\"',
    '"\\""',
    '{"a":{"b":[[]]}}',
    '',
    ' ',
    '{',
    '}',
    '[1,]',
    '{"a":1,}',
    '{a:1}',
    "{'a':1}",
    '01',
    '1.',
    '.5',
    '+1',
    '-',
    '1e',
    'NaN',
    'tru',
    'truefalse',
    '"a',
    '"\\x"',
    '"\t"',
    '"\\u12"',
    '// c\n1',
    '[1 2]',
    '1 2',
    '{"a" 1}',
    '{"a":}',
    '\ufeff\ufeff1',
    '\u00a01',
    '- a',
    'a: 1',
  ])('%j is well-formed exactly when the runtime says so', (text) => {
    let isValid = true;
    try {
      JSON.parse(text);
    } catch {
      isValid = false;
    }
    const isSyntax = told('json', text).some((each) => each.includes('Not valid JSON'));
    expect(isSyntax).toBe(!isValid);
  });

  test('is refused if it is YAML or malformed', () => {
    expect(told('json', 'lists: {}')).toEqual(['1:1 : Not valid JSON']);
    expect(told('json', '{"lists":{"a":{"items":[\n{"value":"A" "label":"x"}]}}}')).toEqual([
      '2:14 : Not valid JSON: "}" expected here',
    ]);
  });

  test('refuses duplicate keys and reserved names, with their positions', () => {
    expect(told('json', '{"lists":{"a":{},\n"a":{}},\n "lists":{"__proto__":{}}}')).toEqual([
      '2:1 lists.a: Given twice',
      '3:2 lists: Given twice',
      '3:11 lists.__proto__: Not allowed as a name',
    ]);
  });

  test('is refused with the positions of its faults', () => {
    const text = '{"lists":{"a":{"items":[\n {"value":"A","label":"x"},\n {"value":"b","label":7}]}}}';
    expect(told('json', text)).toEqual([
      '3:11 lists.a.items.1.value: must be UPPER_SNAKE_CASE',
      '3:23 lists.a.items.1.label: must be text',
    ]);
  });
});

describe('YAML', () => {
  test('with many items is read in parts, with the same result as from another parser', () => {
    const comment = (index: number) => (index % 100 === 0 ? '      # a comment\n\n' : '');
    const tags = (index: number) =>
      index % 500 === 0 ? Array.from({ length: 40 }, (_, tag) => `          - t${tag}\n`).join('') : '          - a\n';
    const item = (index: number) =>
      `${comment(index)}      - value: V${index}\n        label: "Label ${index}"\n        labels: { de: 'é ${index}' }\n        tags:\n${tags(index)}`;
    const list = (name: string) =>
      `  ${name}:\n    items:\n${Array.from({ length: 1000 }, (_, index) => item(index)).join('')}`;
    const text = `lists:\n${list('a')}${list('b')}    title: B\n`;
    const sorted = JSON.stringify(Bun.YAML.parse(text), (key, value) => (key === 'tags' ? value.toSorted() : value));
    expect(read('yaml', text).document).toEqual(read('json', sorted).document);
    const [line, last] = [text.split('\n').indexOf('      - value: V990', 6000) + 1, 'lists.b.items.990'];
    expect(told('yaml', text.replaceAll('value: V990', 'value: V0')).at(-1)).toBe(
      `${line}:16 ${last}.value: Given twice`,
    );
    const twice = text.replaceAll('value: V990\n', 'value: V990\n        label: x\n');
    expect(told('yaml', twice).at(-1)).toBe(`${line + 3}:9 ${last}.label: Given twice`);
    expect(told('yaml', text.replaceAll('value: V990\n', 'value: *x\n')).at(-1)).toMatch(
      /^\d+:16 lists\.b\.items\.990\.value: Aliases/,
    );
    expect(told('yaml', `${text}    - x\n`).length).toBeGreaterThan(0);
  });

  test('refuses duplicate keys, aliases, several documents and deep nesting, with their positions', () => {
    expect(told('yaml', 'lists:\n  a: {}\n  b: {}\n  a: {}\n')).toEqual(['4:3 lists.a: Given twice']);
    expect(told('yaml', 'lists:\n  a: &x {}\n  b: *x\n')).toEqual(['3:6 lists.b: Aliases (*name) are not supported']);
    expect(told('yaml', 'lists: {}\n---\nlists: {}\n')).toEqual(['2:1 : Only one YAML document is allowed']);
    expect(told('yaml', '['.repeat(100))).toEqual(['1:65 : Nested more than 32 levels deep']);
    expect(told('yaml', 'lists:\n  __proto__: {}\n')).toEqual(['2:3 lists.__proto__: Not allowed as a name']);
    expect(told('yaml', 'lists: {? [a] : 1}')).toEqual(['1:11 lists: A name must be plain text']);
  });

  test('of version 1.1 has the same meaning', () => {
    const { document } = read(
      'yaml',
      '%YAML 1.1\n---\nlists: {a: {items: [{value: A, label: x, validFrom: 2027-01-01}]}}',
    );
    expect(document.lists.a?.items?.[0]?.validFrom).toBe('2027-01-01');
  });

  test('is named in the faults of a YAML document, and CSV is named in the faults of a CSV document', () => {
    expect(told('yaml', 'a: [')[0]).toContain('Not valid YAML');
    const latin1 = (format: FileFormat) => {
      try {
        readDocument(Buffer.from('\n\xe9', 'latin1'), format);
      } catch (error) {
        return (error as WrongFile).faults;
      }
      return [];
    };
    expect(latin1('yaml')).toEqual([{ field: '', message: 'Not UTF-8', line: 2, column: 1 }]);
    expect(latin1('csv')).toMatchObject([{ message: 'Not UTF-8: save the file as "CSV UTF-8"' }]);
  });
});

describe('CSV', () => {
  test('has a column for each language, system and parent list; words are separated by spaces', () => {
    const head = 'list,value,label,description,tags,label:de,code:work.day,code:sap,parent:country,parent:site';
    const { document } = read(
      'csv',
      `${head}\na,A,x,All of it,b  a ,ex,JP-113,007,DE AT,\na,B,y,,,,,,,\na,C,z,, ,,,, ,\n`,
    );
    expect(document.lists.a?.items).toEqual([
      {
        value: 'A',
        label: 'x',
        description: 'All of it',
        tags: ['a', 'b'],
        labels: { de: 'ex' },
        codes: { 'work.day': 'JP-113', sap: '007' },
        parents: { country: ['AT', 'DE'] },
      },
      { value: 'B', label: 'y' },
      { value: 'C', label: 'z' },
    ]);
  });

  test('can have headers in any case, and tabs; only the names of systems are case-sensitive', () => {
    const head = 'LIST\tValue\tLabel\tsortorder\tVALIDFROM\tLabel:PT-br\tCode:Work.Day\tcode:work.day\tParent:Country';
    expect(read('csv', `${head}\na\tA\t"x, y"\t5\t2027-01-31\tex\t1\t2\tDE\n`).document.lists.a?.items).toEqual([
      {
        value: 'A',
        label: 'x, y',
        sortOrder: 5,
        validFrom: '2027-01-31',
        labels: { 'pt-BR': 'ex' },
        codes: { 'Work.Day': '1', 'work.day': '2' },
        parents: { country: ['DE'] },
      },
    ]);
    expect(told('csv', 'list;value;label;Label;LABEL:DE;label:de;Colour\n')).toEqual([
      '1:18 label: Column given twice',
      '1:33 label:de: Column given twice',
      '1:42 Colour: Unknown column',
    ]);
  });

  test('reports faults in columns with keys at the cells, and faults in the names of these columns at the header', () => {
    expect(told('csv', 'list,value,label,tags,code:work.day,parent:country\na,A,x,_a,\u200b,de DE\n')).toEqual([
      expect.stringMatching(/^2:7 lists\.a\.items\.0\.tags\.0: must be letters/),
      expect.stringMatching(/^2:10 lists\.a\.items\.0\.codes\.work\.day: must be visible text/),
      '2:12 lists.a.items.0.parents.country.0: must be UPPER_SNAKE_CASE',
    ]);
    expect(told('csv', 'list,value,label,code:,parent:n_o,tag,tags:x\n')).toEqual([
      expect.stringMatching(/^1:18 code:: must be letters/),
      '1:24 parent:n_o: must be lower-case words joined by hyphens',
      '1:35 tag: Unknown column',
      '1:39 tags:x: Unknown column',
    ]);
  });

  test('adds positions to faults that are found after reading, even if the name of a system contains dots', () => {
    const { locate } = read('csv', 'list,value,label,code:work.day,parent:country\na,A,x,1,DE\n');
    const later = (field: string) => locate([{ field: `lists.a.items.0.${field}`, message: 'x' }]).faults[0];
    expect(later('codes.work.day')).toMatchObject({ line: 2, column: 7 });
    expect(later('parents.country')).toMatchObject({ line: 2, column: 9 });
  });

  test('reports every fault of a row', () => {
    expect(told('csv', 'list,value,label,sortOrder\nMy List,a,,ten\nMy List,B,b,1\n')).toEqual([
      '2:1 lists.My List: must be lower-case words joined by hyphens',
      '2:9 lists.My List.items.0.value: must be UPPER_SNAKE_CASE',
      '2:11 lists.My List.items.0.label: is required',
      '2:12 lists.My List.items.0.sortOrder: must be a whole number',
      '3:1 lists.My List: must be lower-case words joined by hyphens',
    ]);
  });

  test('reports the faults of a row that is too short or too long, but none for missing fields', () => {
    expect(told('csv', 'list,value,label\nx,a\nx,b,,d\n')).toEqual([
      '2:1 : The row has 2 fields, but the header has 3',
      '2:3 lists.x.items.0.value: must be UPPER_SNAKE_CASE',
      '3:1 : The row has 4 fields, but the header has 3',
      '3:3 lists.x.items.1.value: must be UPPER_SNAKE_CASE',
      '3:5 lists.x.items.1.label: is required',
    ]);
  });

  test('reports the faults of its header', () => {
    expect(told('csv', 'list,colour,label,label,label:x_y,label:\nx,y,z,,,\n')).toEqual([
      '1:1 value: Required column missing',
      '1:6 colour: Unknown column',
      '1:19 label: Column given twice',
      '1:25 label:x_y: must be a language tag like de or pt-BR',
      '1:35 label:: must be a language tag like de or pt-BR',
    ]);
  });
});
