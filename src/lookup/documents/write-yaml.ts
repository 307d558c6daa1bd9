// Lists as YAML, item by item: other requests run in between.
import type { Pauses } from '../pauses.ts';

/** What is written of a list before its items, and those. */
export interface WritableList {
  name: string;
  head: object;
  items: readonly object[];
}

export async function writeYaml(lists: readonly WritableList[], pauses: Pauses): Promise<string> {
  if (lists.length === 0) return 'lists: {}\n';
  const parts = ['lists:\n'];
  for (const { name, head, items } of lists) {
    parts.push(write({ [name]: head }, '  '), items.length === 0 ? '    items: []\n' : '    items:\n');
    for (const text of await pauses.map(items, (item) => write([item], '      '))) parts.push(text);
  }
  return parts.join('');
}

/** Every text is one line: see text.schema.ts. */
function write(content: object, indent: string): string {
  // For an object that is shared, Bun would write an alias, which our reader refuses, and for some zeros +0.
  const copy: unknown = JSON.parse(JSON.stringify(content));
  const lines = Bun.YAML.stringify(copy, null, 2).replaceAll(misread, '"$&"');
  return `${lines.replaceAll(/^/gm, indent)}\n`;
}

/**
 * Other tools read YAML 1.1, to which NO is false, 2027-01-31 a time, and 1_000 and 12:30 are numbers; PyYAML cannot read a
 * lone =. Bun quotes the first of them. These are the others, as a key or a value, but not the numbers of a list.
 */
const misread = /(?<=^ *(?:- )?(?:"?[\w.-]+"?: )?)(?!\d+$)(?:[+.]?\d[\d .:_tzb+-]*?|=)(?=$|:$|: )/gim;
