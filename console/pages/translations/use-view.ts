// The rows and languages that the grid shows.
import { useDeferredValue, useMemo, useState } from 'react';
import { matcherOf } from '../../lists/items/item-search.ts';
import { useMedia } from '../../parts/grid.tsx';
import type { KeptList } from '../../shell/api.ts';
import { languagesIn, untranslatedOnly } from './drafts.ts';

export function useView({ items }: KeptList) {
  const [added, setAdded] = useState<readonly string[]>([]);
  const [chosen, setChosen] = useState<string>();
  const [search, setSearch] = useState('');
  const [isUntranslatedOnly, setUntranslatedOnly] = useState(false);
  const [hasRetired, setRetired] = useState(false);
  const isNarrow = useMedia('(max-width: 40rem)');
  const wanted = useDeferredValue(search);
  const saved = useMemo(() => languagesIn(items), [items]);
  /** The order of the columns, which stays the same after labels are saved. */
  const [order, setOrder] = useState(saved);
  const all = useMemo(() => inOrder(order, [...saved, ...added]), [order, saved, added]);
  const current = all.find((tag) => tag === chosen) ?? all[0];
  // A phone has room for one language.
  const tags = useMemo(() => (isNarrow ? all.filter((tag) => tag === current) : all), [all, isNarrow, current]);
  const rows = useMemo(() => {
    const there = hasRetired ? items : items.filter(({ status }) => status === 'active');
    const untranslated = isUntranslatedOnly ? untranslatedOnly(there, tags) : there;
    return untranslated.filter(matcherOf(wanted));
  }, [items, tags, hasRetired, isUntranslatedOnly, wanted]);

  return {
    rows,
    tags,
    all,
    saved,
    current,
    isNarrow,
    search,
    isUntranslatedOnly,
    hasRetired,
    choose: setChosen,
    setSearch,
    setUntranslatedOnly,
    setRetired,
    addLanguage(tag: string): void {
      setAdded([...added.filter((each) => each !== tag), tag]);
      setOrder([...all.filter((each) => each !== tag), tag]);
      setChosen(tag);
    },
    removeLanguage: (tag: string) => setAdded(added.filter((each) => each !== tag)),
    /** Clears the filters. `withRetired` also shows retired values. */
    showAll(withRetired = hasRetired): void {
      setSearch('');
      setUntranslatedOnly(false);
      setRetired(withRetired);
    },
  };
}

export type GridView = ReturnType<typeof useView>;

function inOrder(order: readonly string[], tags: readonly string[]): string[] {
  const there = new Set(tags);
  return [...new Set([...order.filter((tag) => there.has(tag)), ...tags])];
}
