import type { Sentence } from './sentence.ts';
import { historyTexts } from './texts.ts';

/** What people have written keeps its own direction. */
export function SentenceText({ sentence }: { sentence: Sentence }) {
  return sentence.map((part, index) => {
    if ('text' in part && part.isIsolated === undefined) return part.text;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have no other identity
      <bdi key={index} {...('label' in part && { className: 'written' })}>
        {'label' in part ? part.label : part.text}
      </bdi>
    );
  });
}

/** A version may change 50,000 values. */
const mostShown = 2000;

export function Sentences({ sentences }: { sentences: readonly Sentence[] }) {
  return (
    <ul className="sentences">
      {sentences.slice(0, mostShown).map((sentence, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same may be said of two values
        <li key={index} className={sentence[0] !== undefined && 'text' in sentence[0] ? 'capital' : ''}>
          <SentenceText sentence={sentence} />
        </li>
      ))}
      {sentences.length > mostShown && <li>{historyTexts.more(sentences.length - mostShown)}</li>}
    </ul>
  );
}
