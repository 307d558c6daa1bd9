// YAML 1.2, with the offset of every value. The library looks for keys given twice, and words its errors, in a time that
// grows with the square of the document: both are done here.
import { Composer, type Document, isAlias, isMap, isScalar, isSeq, Lexer, type ParsedNode, Parser } from 'yaml';
import { Faults, indexLines, type Place, WrongFile } from './faults.ts';
import { addEntry, deepest, type Node, texts } from './tree.ts';

export function readYamlTree(text: string): Node {
  const placeAt = indexLines(text);
  const contents = compose(text, placeAt);
  const path: PropertyKey[] = [];
  const faults = new Faults();

  const refuse = (at: number, message: string): Node => {
    faults.add(path, message, placeAt(at));
    return { at, content: null };
  };

  function convertMap(items: readonly { key: ParsedNode; value: ParsedNode | null }[]): Map<string, Node> {
    const entries = new Map<string, Node>();
    for (const { key, value } of items) {
      const [at] = key.range;
      if (!isScalar(key)) {
        refuse(at, isAlias(key) ? noAlias : 'A name must be plain text');
        continue;
      }
      const name = String(key.value ?? '');
      path.push(name);
      const wrong = addEntry(entries, name, value === null ? { at, content: null } : convert(value));
      if (wrong !== undefined) refuse(at, wrong);
      path.pop();
    }
    return entries;
  }

  function convert(node: ParsedNode): Node {
    const [at] = node.range;
    if (isMap<ParsedNode, ParsedNode | null>(node)) return { at, content: convertMap(node.items) };
    if (isSeq<ParsedNode>(node)) {
      const content = node.items.map((item, index) => {
        path.push(index);
        const converted = convert(item);
        path.pop();
        return converted;
      });
      return { at, content };
    }
    // An alias can make a small document an endless one, and no list needs any.
    if (isAlias(node)) return refuse(at, noAlias);
    const { value } = node;
    const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    return { at, content: isPlain ? value : null };
  }

  const root = contents === null ? { at: 0, content: null } : convert(contents);
  faults.throwIfAny();
  return root;
}

const noAlias = 'Aliases (*name) are not supported';

// A document may ask for YAML 1.1, which would bring sets, merged maps and dates with it.
const options = {
  schema: 'core',
  uniqueKeys: false,
  prettyErrors: false,
  resolveKnownTags: false,
  merge: false,
} as const;

function compose(text: string, placeAt: (offset: number) => Place): ParsedNode | null {
  const faults = new Faults();
  const refuse = (source: ErrorSource, code: string) => {
    const offset = typeof source === 'number' ? source : Array.isArray(source) ? source[0] : source.offset;
    // The library's own messages quote the document.
    faults.add([], `Not valid YAML (${code.toLowerCase().replaceAll('_', ' ')})`, placeAt(offset));
  };
  const composer = new Composer(options);
  // A private member of the library: its own version would collect every error, however many there are.
  Object.assign(composer, {
    onError: (source: ErrorSource, code: string, _message: string, isWarning?: boolean) => {
      if (isWarning !== true) refuse(source, code);
    },
  });
  let document: Document.Parsed | undefined;
  const take = (found: Iterable<Document.Parsed>) => {
    for (const each of found) {
      if (document !== undefined) throw refusal(each.range[0], 'Only one YAML document is allowed');
      document = each;
    }
  };
  const refusal = (offset: number, message: string) => new WrongFile([{ field: '', message, ...placeAt(offset) }]);
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) {
      if (token.type === 'error') refuse(token, 'UNEXPECTED_TOKEN');
      else take(composer.next(token));
    }
    if (parser.stack.length > 2 * deepest) throw refusal(parser.offset, texts.tooDeep);
  }
  for (const token of parser.end()) take(composer.next(token));
  take(composer.end(true, text.length));
  for (const { pos, code } of document?.errors ?? []) refuse(pos, code);
  faults.throwIfAny();
  return document?.contents ?? null;
}

type ErrorSource = number | [number, ...number[]] | { offset: number };
