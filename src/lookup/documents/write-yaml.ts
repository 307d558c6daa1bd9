// Lists as YAML, item by item: of 50,000, the library would take seconds for what is plain in nearly all of them.
import { type CreateNodeOptions, type SchemaOptions, stringify, type ToStringOptions } from 'yaml';
import type { Pauses } from '../pauses.ts';

/** What is written of a list before its items, and those. */
export interface WritableList {
  name: string;
  head: object;
  items: readonly object[];
}

const options = {
  lineWidth: 0,
  // Values with the same tags share them in memory. No reader of ours takes aliases.
  aliasDuplicateObjects: false,
  // Other tools read YAML 1.1, to which NO is false, and 2027-01-31 a time: such texts are quoted.
  compat: 'yaml-1.1',
  // In YAML 1.1 a plain = has a type of its own. The library ignores it and PyYAML cannot read it.
  customTags: [{ tag: 'tag:yaml.org,2002:value', default: true, test: /^=$/, identify: () => false, resolve: String }],
} satisfies ToStringOptions & SchemaOptions & CreateNodeOptions;

export async function writeYaml(lists: readonly WritableList[], pauses: Pauses): Promise<string> {
  if (lists.length === 0) return stringify({ lists: {} }, options);
  const parts = ['lists:\n'];
  for (const { name, head, items } of lists) {
    parts.push(indent(stringify({ [name]: head }, options), '  '));
    parts.push(items.length === 0 ? '    items: []\n' : '    items:\n');
    for (const text of await pauses.map(items, writeItem)) parts.push(text);
  }
  return parts.join('');
}

function writeItem(item: object): string {
  const lines = plainLines(item);
  if (lines === undefined) return indent(stringify([item], options), '      ');
  return `      - ${lines.join('\n        ')}\n`;
}

/** As the library writes them; undefined where one of its texts is not plain, or one of its parts is empty. */
function plainLines(content: object): string[] | undefined {
  const lines: string[] = [];
  for (const [key, value] of Object.entries(content)) {
    if (!isPlain(key)) return undefined;
    if (typeof value === 'object' && value !== null) {
      const inner = Array.isArray(value) ? plainEntries(value) : plainLines(value);
      if (inner === undefined || inner.length === 0) return undefined;
      lines.push(`${key}:`, ...inner.map((line) => `  ${line}`));
    } else {
      if (typeof value === 'string' && !isPlain(value)) return undefined;
      lines.push(`${key}: ${value}`);
    }
  }
  return lines;
}

function plainEntries(values: readonly unknown[]): string[] | undefined {
  return values.every((value) => typeof value === 'string' && isPlain(value))
    ? values.map((value) => `- ${value}`)
    : undefined;
}

/** Letters first, and nothing that has a meaning in YAML. */
const plain = /^\p{L}[\p{L}\p{M}\p{Nd} _.,()/&+-]*$/u;
/** Of either version. */
const otherMeaning = /^(?:y|n|yes|no|on|off|true|false|null)$/i;

function isPlain(text: string): boolean {
  return plain.test(text) && !text.endsWith(' ') && !otherMeaning.test(text);
}

function indent(text: string, by: string): string {
  return text.replaceAll(/^(?=.)/gm, by);
}
