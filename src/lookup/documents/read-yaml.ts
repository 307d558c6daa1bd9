// Parses YAML 1.2 with the offset of every value. The library takes quadratic time to find duplicate keys and to format
// its errors, so both are done here.
import { Composer, CST, type Document, isAlias, isMap, isScalar, isSeq, Lexer, type ParsedNode, Parser } from 'yaml';
import { Faults, indexLines, type Place, WrongFile } from './faults.ts';
import { addEntry, deepest, type Node, texts } from './tree.ts';

export function readYamlTree(text: string): Node {
  const placeAt = indexLines(text);
  const path: PropertyKey[] = [];
  const faults = new Faults();
  /** Items converted before the end of their sequence was read, by the offset of the sequence. */
  const early = new Map<number, Node[]>();

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

  function convertItems(at: number, items: readonly ParsedNode[]): Node[] {
    const before = early.get(at) ?? [];
    const converted = items.map((item, index) => {
      path.push(before.length + index);
      const node = convert(item);
      path.pop();
      return node;
    });
    return before.concat(converted);
  }

  function convert(node: ParsedNode): Node {
    const [at] = node.range;
    if (isMap<ParsedNode, ParsedNode | null>(node)) return { at, content: convertMap(node.items) };
    if (isSeq<ParsedNode>(node)) {
      return { at, content: convertItems(at, node.items) };
    }
    // Aliases can make a small document expand without end, and no list needs them.
    if (isAlias(node)) return refuse(at, noAlias);
    const { value } = node;
    const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    return { at, content: isPlain ? value : null };
  }

  const contents = compose(text, placeAt, (parents, at, items) => {
    path.push(...pathOf(parents, early));
    early.set(at, convertItems(at, items));
    path.length = 0;
  });
  const root = contents === null ? { at: 0, content: null } : convert(contents);
  faults.throwIfAny();
  return root;
}

/** The parser's current path, as names and indexes. */
function pathOf(parents: readonly CST.Token[], early: ReadonlyMap<number, Node[]>): PropertyKey[] {
  return parents.flatMap((token): PropertyKey[] => {
    if (token.type === 'block-seq') return [(early.get(token.offset)?.length ?? 0) + token.items.length - 1];
    if (token.type !== 'block-map') return [];
    return [CST.resolveAsScalar(token.items.at(-1)?.key)?.value ?? ''];
  });
}

const noAlias = 'Aliases (*name) are not supported';

// These options also apply to documents that declare YAML 1.1, which would otherwise enable sets, merge keys and dates.
const options = {
  schema: 'core',
  uniqueKeys: false,
  prettyErrors: false,
  resolveKnownTags: false,
  merge: false,
} as const;

/**
 * After this many tokens, the tokens of complete items are dropped, because the library's tokens take a hundred times
 * as much memory as the text.
 */
const tokensHeld = 20_000;

/** `onItems` gets the complete items of an unfinished sequence, the sequence's ancestor tokens, and its offset. */
function compose(
  text: string,
  placeAt: (offset: number) => Place,
  onItems: (parents: readonly CST.Token[], at: number, items: readonly ParsedNode[]) => void,
): ParsedNode | null {
  const faults = new Faults();
  const refuse = (source: ErrorSource, code: string) => {
    const offset = typeof source === 'number' ? source : Array.isArray(source) ? source[0] : source.offset;
    // The library's own messages quote the document, so they are not used.
    faults.add([], `Not valid YAML (${code.toLowerCase().replaceAll('_', ' ')})`, placeAt(offset));
  };
  function createComposer(): Composer {
    const composer = new Composer(options);
    // Overrides a private member of the library, which would collect an unlimited number of errors.
    Object.assign(composer, {
      onError: (source: ErrorSource, code: string, _message: string, isWarning?: boolean) => {
        if (isWarning !== true) refuse(source, code);
      },
    });
    return composer;
  }
  function composeEarly(stack: readonly CST.Token[]): void {
    for (const [depth, token] of stack.entries()) {
      // The parser still uses the last two items.
      const complete = token.type === 'block-seq' ? token.items.splice(0, token.items.length - 2) : [];
      if (token.type !== 'block-seq' || complete.length === 0) continue;
      const composer = createComposer();
      const value = { ...token, items: complete };
      const part = [
        ...composer.next({ type: 'document', offset: token.offset, start: [], value }),
        ...composer.end(true, parser.offset),
      ][0];
      for (const { pos, code } of part?.errors ?? []) refuse(pos, code);
      if (isSeq<ParsedNode>(part?.contents)) onItems(stack.slice(0, depth), token.offset, part.contents.items);
    }
  }
  const composer = createComposer();
  let lexemes = 0;
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
    if (++lexemes % tokensHeld === 0) composeEarly(parser.stack);
  }
  for (const token of parser.end()) take(composer.next(token));
  take(composer.end(true, text.length));
  for (const { pos, code } of document?.errors ?? []) refuse(pos, code);
  faults.throwIfAny();
  return document?.contents ?? null;
}

type ErrorSource = number | [number, ...number[]] | { offset: number };
