import { useMemo } from 'react';
import type { KeptList } from '../../shell/api.ts';
import { useLists } from '../queries.ts';
import { type SentenceContext, sentenceContext } from './sentence-context.ts';

/** With the labels of this list and the titles of the others. */
export function useSentenceContext(list: KeptList | undefined): SentenceContext {
  const { data: lists } = useLists();
  return useMemo(() => {
    const labels = new Map(list?.items.map(({ value, label }) => [value, label]));
    const titles = new Map(lists?.map((summary) => [summary.list, summary.title]));
    return sentenceContext({ labelOf: (value) => labels.get(value), titleOf: (name) => titles.get(name) });
  }, [list, lists]);
}
