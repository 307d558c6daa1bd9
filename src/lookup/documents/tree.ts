// A parsed YAML or JSON document, with the offset of each part in the text.
import type { Place } from './faults.ts';

/** The content of a document, not yet checked against the schema. */
export interface Content {
  value: unknown;
  /** The positions of a part. In CSV, a part may be in several rows. */
  placesOf(path: readonly PropertyKey[]): Place[];
}

export interface Node {
  at: number;
  content: string | number | boolean | null | Node[] | Map<string, Node>;
}

/** Maximum nesting depth. Valid documents are less deep, and this depth is far from exhausting the stack. */
export const deepest = 32;

export const texts = {
  twice: 'Given twice',
  reserved: 'Not allowed as a name',
  tooDeep: `Nested more than ${deepest} levels deep`,
};

/** `__proto__` has a special meaning in JavaScript, so the schema would silently ignore it. */
export const isReserved = (name: string) => name === '__proto__';

/** Adds an entry to a map, or returns the reason why the entry is refused. */
export function addEntry(map: Map<string, Node>, key: string, node: Node): string | undefined {
  if (map.has(key)) return texts.twice;
  if (isReserved(key)) return texts.reserved;
  map.set(key, node);
  return undefined;
}

export function plainValue({ content }: Node): unknown {
  if (Array.isArray(content)) return content.map(plainValue);
  if (!(content instanceof Map)) return content;
  return Object.fromEntries(Array.from(content, ([key, node]) => [key, plainValue(node)]));
}

/** The offset of the node at a path, or of its nearest ancestor. */
export function offsetOf(root: Node, path: readonly PropertyKey[]): number {
  let node = root;
  for (const [depth, part] of path.entries()) {
    const { content } = node;
    const next = Array.isArray(content)
      ? content[Number(part)]
      : content instanceof Map
        ? // The last key may contain dots. The path was split at every dot, so the parts of that key are joined again.
          (content.get(String(part)) ?? content.get(path.slice(depth).join('.')))
        : undefined;
    if (next === undefined) break;
    node = next;
  }
  return node.at;
}
