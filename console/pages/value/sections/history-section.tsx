import { useHistory } from '../../../lists/queries.ts';
import { ValueHistory } from '../../../lists/sentences/sentences.tsx';
import { sharedListTexts } from '../../../lists/texts.ts';
import { Button } from '../../../parts/button.tsx';
import type { KeptList } from '../../../shell/api.ts';
import { LoadingOrError } from '../../../shell/loading.tsx';
import { valueTexts as texts } from '../texts.ts';
import { Section } from './section.tsx';

export function HistorySection({ list, value }: { list: KeptList; value: string }) {
  const query = useHistory(list.list, value);
  const entries = query.data?.pages.flat() ?? [];
  return (
    <Section title={sharedListTexts.history}>
      {query.data === undefined && <LoadingOrError query={query} lines={2} />}
      {query.isSuccess && entries.length === 0 && <p className="quiet">{texts.noHistory}</p>}
      <ValueHistory entries={entries} list={list} />
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
