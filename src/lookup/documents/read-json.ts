// Parses JSON (RFC 8259) with the offset of every value, because JSON.parse keeps neither offsets nor duplicate keys.
import { Faults, indexLines, WrongFile } from './faults.ts';
import { addEntry, deepest, type Node, texts } from './tree.ts';

const blanks = /[ \t\n\r]*/y;
const word = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;

export function readJsonTree(text: string): Node {
  const placeAt = indexLines(text);
  const path: PropertyKey[] = [];
  const faults = new Faults();
  let position = 0;

  const stop = (message: string, at = position) => new WrongFile([{ field: '', message, ...placeAt(at) }]);

  function skipBlanks(): void {
    blanks.lastIndex = position;
    blanks.test(text);
    position = blanks.lastIndex;
  }

  /** Consumes this character if it is next. */
  function takes(sign: string): boolean {
    skipBlanks();
    if (text[position] !== sign) return false;
    position++;
    return true;
  }

  function expectSign(sign: string): void {
    if (!takes(sign)) throw stop(`Not valid JSON: "${sign}" expected here`);
  }

  function readString(): string {
    const start = position;
    for (position++; position < text.length && text[position] !== '"'; position++) {
      if (text[position] === '\\') position++;
    }
    if (position >= text.length) throw stop('Not valid JSON: text is not closed', start);
    position++;
    try {
      return JSON.parse(text.slice(start, position)) as string;
    } catch {
      throw stop('Not valid JSON: text with a line break, a control character or an unknown escape', start);
    }
  }

  function readWord(): string | number | boolean | null {
    word.lastIndex = position;
    const found = word.exec(text)?.[0];
    if (found === undefined)
      throw stop(position < text.length ? 'Not valid JSON' : 'Not valid JSON: it ends too early');
    position += found.length;
    return JSON.parse(found) as number | boolean | null;
  }

  function readMap(): Map<string, Node> {
    const entries = new Map<string, Node>();
    position++;
    if (takes('}')) return entries;
    do {
      skipBlanks();
      const at = position;
      if (text[position] !== '"') throw stop('Not valid JSON: a name in quotes expected here');
      const key = readString();
      expectSign(':');
      path.push(key);
      const wrong = addEntry(entries, key, readValue());
      if (wrong !== undefined) faults.add(path, wrong, placeAt(at));
      path.pop();
    } while (takes(','));
    expectSign('}');
    return entries;
  }

  function readArray(): Node[] {
    const items: Node[] = [];
    position++;
    if (takes(']')) return items;
    do {
      path.push(items.length);
      items.push(readValue());
      path.pop();
    } while (takes(','));
    expectSign(']');
    return items;
  }

  function readValue(): Node {
    skipBlanks();
    const at = position;
    if (path.length > deepest) throw stop(texts.tooDeep);
    if (text[position] === '{') return { at, content: readMap() };
    if (text[position] === '[') return { at, content: readArray() };
    return { at, content: text[position] === '"' ? readString() : readWord() };
  }

  const root = readValue();
  skipBlanks();
  if (position < text.length) throw stop('Not valid JSON: text after its end');
  faults.throwIfAny();
  return root;
}
