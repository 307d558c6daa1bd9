import { authorName } from '../../lists/actor.ts';
import type { HistoryEntry, KeptList } from '../../shell/api.ts';
import { describeChanges } from '../../lists/sentences/history-sentences.ts';
import { useHistory } from '../../lists/queries.ts';
import { sentenceContext } from '../../lists/sentences/sentence-context.ts';
import { Button } from '../../parts/button.tsx';
import { LoadingOrError } from '../../shell/loading.tsx';
import { Moment } from '../../parts/moment.tsx';
import { SentenceText } from '../../lists/sentences/sentences.tsx';
import { shared } from '../../parts/texts.ts';
import { valueTexts as texts } from './texts.ts';
import { Section } from './section.tsx';

export function HistorySection({ list, value }: { list: KeptList; value: string }) {
  const query = useHistory(list.list, value);
  const entries = query.data?.pages.flat() ?? [];
  return (
    <Section title={shared.history}>
      {query.data === undefined && <LoadingOrError query={query} lines={2} />}
      {query.isSuccess && entries.length === 0 && <p className="quiet">{texts.noHistory}</p>}
      <Entries entries={entries} list={list} />
      {query.hasNextPage && (
        <div>
          <Button look="plain" isDisabled={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
            {texts.showOlder}
          </Button>
        </div>
      )}
    </Section>
  );
}

/** Who did what and when, newest first. */
export function Entries({ entries, list }: { entries: readonly HistoryEntry[]; list: KeptList }) {
  const context = sentenceContext({ labelOf: (value) => list.items.find((item) => item.value === value)?.label });
  return (
    <ol className="value-history">
      {entries.map((entry) => {
        // Not of the whole entry: the list itself is not told about here.
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
