// A sentence in parts: what the console says, and what people have written. The second is kept apart from the first on
// the page, so that a right-to-left label does not reorder the words around it.

/** `isIsolated`: of the console, but with a direction of its own, such as a day as the reader's country writes it. */
type SentencePart = { text: string; isIsolated?: true } | { label: string };
export type Sentence = readonly SentencePart[];

export const plain = (text: string): Sentence => [{ text }];
export const isolated = (text: string): Sentence => [{ text, isIsolated: true }];
export const label = (written: string): Sentence => [{ label: written }];

/** `A, B, C`, or so many of them and what `more` says of the rest. */
export function labels(written: readonly string[], more: (count: number) => string, most = 5): Sentence {
  const shown = written.slice(0, most).flatMap((each, index) => [...(index > 0 ? plain(', ') : []), ...label(each)]);
  return written.length > most ? [...shown, ...plain(` ${more(written.length - most)}`)] : shown;
}

/** A template such as `renamed {before} to {after}` with what its names stand for. */
export function fill(template: string, holes: Record<string, Sentence>): Sentence {
  return template.split(/\{(\w+)\}/).flatMap((piece, index) => {
    if (index % 2 === 1) return holes[piece] ?? [];
    return piece === '' ? [] : plain(piece);
  });
}
