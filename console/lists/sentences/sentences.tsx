import { useMemo } from 'react';
import { Moment } from '../../parts/format.tsx';
import type { HistoryEntry, KeptList } from '../../shell/api.ts';
import { authorName } from '../actor.ts';
import { useLists } from '../queries.ts';
import { shownTitle } from '../texts.ts';
import { describeChanges } from './history-sentences.ts';
import { type Sentence, type SentenceContext, sentenceContext } from './sentence-context.ts';
import { historyTexts } from './texts.ts';

/** Labels keep their own text direction. */
function SentenceText({ sentence }: { sentence: Sentence }) {
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

/** Maximum number of sentences shown: a version may change 50,000 values. */
const maxShown = 2000;

export function Sentences({ sentences }: { sentences: readonly Sentence[] }) {
  return (
    <ul className="sentences">
      {sentences.slice(0, maxShown).map((sentence, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two values may have the same sentence
        <li key={index} className={sentence[0] !== undefined && 'text' in sentence[0] ? 'capital' : ''}>
          <SentenceText sentence={sentence} />
        </li>
      ))}
      {sentences.length > maxShown && <li>{historyTexts.more(sentences.length - maxShown)}</li>}
    </ul>
  );
}

/** A context with the labels of this list and the titles of all lists. */
export function useSentenceContext(list: KeptList | undefined): SentenceContext {
  const { data: lists } = useLists();
  return useMemo(() => {
    const labels = new Map(list?.items.map(({ value, label }) => [value, label]));
    const titles = new Map(lists?.map((summary) => [summary.list, shownTitle(summary)]));
    return sentenceContext({ labelOf: (value) => labels.get(value), titleOf: (name) => titles.get(name) });
  }, [list, lists]);
}

/** The changes of one value with author and time, newest first. */
export function ValueHistory({ entries, list }: { entries: readonly HistoryEntry[]; list: KeptList }) {
  const context = sentenceContext({ labelOf: (value) => list.items.find((item) => item.value === value)?.label });
  return (
    <ol className="value-history">
      {entries.map((entry) => {
        // Describes only the changes, without sentences about the list such as “created the list”.
        const { first, rest } = describeChanges(entry.changes, context);
        return (
          <li key={entry.version}>
            {[...first, ...rest].map((sentence, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the sentences of an entry never change
              <p key={index}>
                <SentenceText sentence={sentence} />
              </p>
            ))}
            <p className="quiet">
              <bdi>{authorName(entry)}</bdi> · <Moment at={entry.at} />
              {entry.reason !== null && (
                <>
                  {' · '}
                  <bdi>{entry.reason}</bdi>
                </>
              )}
            </p>
          </li>
        );
      })}
    </ol>
  );
}
