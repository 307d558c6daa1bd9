// Which rows and languages of the grid are shown.
import { useDeferredValue, useMemo, useState, useSyncExternalStore } from 'react';
import type { KeptList } from '../../shell/api.ts';
import { matcherOf } from '../../lists/items/item-search.ts';
import { languagesIn, untranslatedOnly } from './translation-grid.ts';

const narrow = matchMedia('(max-width: 40rem)');

function useNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      narrow.addEventListener('change', listener);
      return () => narrow.removeEventListener('change', listener);
    },
    () => narrow.matches,
  );
}

export function useView({ items }: KeptList) {
  const [added, setAdded] = useState<readonly string[]>([]);
  const [chosen, setChosen] = useState<string>();
  const [search, setSearch] = useState('');
  const [isUntranslatedOnly, setUntranslatedOnly] = useState(false);
  const [hasRetired, setRetired] = useState(false);
  const isNarrow = useNarrow();
  const wanted = useDeferredValue(search);
  const saved = useMemo(() => languagesIn(items), [items]);
  /** Stays in the order in which columns came, also after labels were saved. */
  const [order, setOrder] = useState(saved);
  const all = useMemo(() => inOrder(order, [...saved, ...added]), [order, saved, added]);
  const current = all.find((tag) => tag === chosen) ?? all[0];
  // On a phone there is room for one language.
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
    /** Every row of the list that can be edited, retired ones too if one of them is meant. */
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
