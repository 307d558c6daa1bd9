import { type ReactNode, useId } from 'react';
import type { FieldName, Fields } from '../../../lists/items/item-fields.ts';
import { useHistory, useSummary } from '../../../lists/queries.ts';
import { useUndoEntry } from '../../../lists/saving/use-save-list.ts';
import { ValueHistory } from '../../../lists/sentences/sentences.tsx';
import { sharedListTexts } from '../../../lists/texts.ts';
import { Button } from '../../../parts/button.tsx';
import type { KeptList } from '../../../shell/api.ts';
import { LoadingOrError } from '../../../shell/loading.tsx';
import { shellTexts } from '../../../shell/texts.ts';
import { valueTexts as texts } from '../texts.ts';

/** A part of the panel under a heading. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="value-section" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
    </section>
  );
}

export function textIn(fields: Fields, name: FieldName): string {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
}

/** Returns null if the field is empty. */
export function dayIn(fields: Fields, name: 'validFrom' | 'validTo'): string | null {
  return textIn(fields, name) || null;
}

export function valuesIn(fields: Fields, name: FieldName): readonly string[] {
  const value = fields[name];
  return value === undefined || value === null || typeof value === 'string' ? [] : value;
}

export function HistorySection({ list, value }: { list: KeptList; value: string }) {
  const query = useHistory(list.list, { value });
  const mayKeep = useSummary(list.list)?.mayKeep ?? false;
  const undo = useUndoEntry(list.list, value);
  const entries = query.data?.pages.flat() ?? [];
  return (
    <Section title={sharedListTexts.history}>
      {query.data === undefined && <LoadingOrError query={query} lines={2} />}
      {query.isSuccess && entries.length === 0 && <p className="quiet">{texts.noHistory}</p>}
      <ValueHistory entries={entries} list={list} undo={mayKeep ? undo : undefined} />
      {query.hasNextPage && (
        <div>
          <Button look="plain" isDisabled={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
            {shellTexts.showOlder}
          </Button>
        </div>
      )}
    </Section>
  );
}
