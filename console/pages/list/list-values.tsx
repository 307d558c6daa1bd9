// The values of a list, with filters, selection, moving, renaming and retiring.
import { SearchX } from 'lucide-react';
import { Suspense, useCallback, useDeferredValue, useMemo, useState } from 'react';
import { dayOf } from '../../../src/lookup/rules/list-on-day.ts';
import { activeOrder, fitsRequest, mergeMove, newPlaces, orderDocument } from '../../lists/items/value-order.ts';
import { useLastChanges, useLists } from '../../lists/queries.ts';
import { useSaveList } from '../../lists/saving/use-save-list.ts';
import { sharedListTexts, shownTitle } from '../../lists/texts.ts';
import { Button } from '../../parts/button.tsx';
import { browserLocale } from '../../parts/catalogue.ts';
import { EmptyState } from '../../parts/content.tsx';
import type { KeptItem, KeptList, ListSummary } from '../../shell/api.ts';
import { Boundary, part } from '../../shell/boundary.tsx';
import { navigate, useConsole } from '../../shell/console-context.ts';
import { BulkBar } from './bulk-bar.tsx';
import { type BulkChange, bulkDocument } from './bulk-change.ts';
import { type Move, useMoving } from './grid/use-moving.ts';
import { useSelection } from './grid/use-selection.ts';
import { ValueGrid } from './grid/value-grid.tsx';
import { ListTools } from './list-tools.tsx';
import { type Chip, countByChip, languagesOf, ownOrder, viewOf } from './list-view.ts';
import { listTexts } from './texts.ts';
import { useRenaming } from './use-renaming.ts';

const RetireDialog = part(async () => (await import('../../lists/items/retire-dialog.tsx')).RetireDialog);

const noVersions: Record<string, number> = {};
const noLists: readonly ListSummary[] = [];

export function ListValues({ kept, mayKeep }: { kept: KeptList; mayKeep: boolean }) {
  const { list, items } = kept;
  const [search, setSearch] = useState('');
  const [chip, setChip] = useState<Chip>('all');
  const [sorting, setSorting] = useState(ownOrder);
  const day = dayOf(new Date());
  const saves = useListSaves(list);
  const moving = useMoving({ items, save: saves.saveOrder });
  const rename = useRenaming(kept);
  const [retiring, setRetiring] = useState<KeptItem>();
  const lastChanges = useLastChanges(list).data;

  const lists = useLists().data ?? noLists;
  const languages = useMemo(() => languagesOf(items, lists), [items, lists]);
  const counts = useMemo(() => countByChip(items, day, languages), [items, day, languages]);
  // Keeps typing responsive when a search takes longer than a frame.
  const searched = useDeferredValue(search);
  const lastVersions = lastChanges?.values ?? noVersions;
  const keptValue = rename.renaming?.value;
  const view = useMemo(() => {
    const options = { chip, search: searched, sorting, day, languages, lastVersions, kept: keptValue };
    return viewOf(items, { ...options, locale: browserLocale });
  }, [items, chip, searched, sorting, day, languages, lastVersions, keptValue]);
  const isMoved = moving.isMoved && sorting.column === 'order';
  // Built once per move, not for every step, since a list may have 50,000 values.
  const byValue = useMemo(() => new Map(isMoved ? view.map((item) => [item.value, item]) : []), [view, isMoved]);
  const rows = useMemo(
    () => (isMoved ? inOrder(view, byValue, moving.order) : view),
    [view, byValue, isMoved, moving.order],
  );
  const selection = useSelection(rows);
  const selected = useMemo(() => items.filter(({ value }) => selection.values.has(value)), [items, selection.values]);

  const versions = useMemo(
    () => new Map(lastChanges?.versions.map((version) => [version.version, version])),
    [lastChanges],
  );
  const lastChangeOf = useCallback((value: string) => versions.get(lastVersions[value] ?? 0), [versions, lastVersions]);

  return (
    <>
      <ListTools
        search={search}
        onSearch={setSearch}
        chip={chip}
        counts={counts}
        onChip={setChip}
        sorting={sorting}
        onSort={setSorting}
        mayKeep={mayKeep}
        shown={rows.length}
      />
      {rows.length === 0 ? (
        <EmptyState
          icon={<SearchX aria-hidden="true" size={28} />}
          title={listTexts.nothingFound}
          text={listTexts.nothingFoundText}
        >
          <Button
            onPress={() => {
              setSearch('');
              setChip('all');
            }}
          >
            {sharedListTexts.showAllValues}
          </Button>
        </EmptyState>
      ) : (
        <ValueGrid
          list={list}
          title={shownTitle(kept)}
          rows={rows}
          day={day}
          languages={languages}
          lastChangeOf={lastChangeOf}
          mayKeep={mayKeep}
          sorting={sorting}
          onSort={setSorting}
          moving={moving}
          selection={selection}
          renaming={rename.renaming}
          startRename={rename.start}
          type={rename.type}
          saveRename={rename.save}
          cancelRename={rename.cancel}
          open={(value) => navigate({ page: 'value', list, value })}
          retire={setRetiring}
          restore={saves.restore}
        />
      )}
      {retiring !== undefined && (
        <Boundary onClose={() => setRetiring(undefined)}>
          <Suspense>
            <RetireDialog list={kept} item={retiring} onClose={() => setRetiring(undefined)} />
          </Suspense>
        </Boundary>
      )}
      {selected.length > 0 && mayKeep && (
        <BulkBar
          items={selected}
          onApply={async (change) => {
            const isSaved = await saves.changeSeveral(selected, change);
            if (isSaved) selection.clearSelection();
            return isSaved;
          }}
          onClear={selection.clearSelection}
        />
      )}
    </>
  );
}

/** Sorts by an unsaved order. Retired values have no position and come last. */
function inOrder(
  view: readonly KeptItem[],
  byValue: ReadonlyMap<string, KeptItem>,
  order: readonly string[],
): KeptItem[] {
  const rows: KeptItem[] = [];
  for (const value of order) {
    const item = byValue.get(value);
    if (item !== undefined) rows.push(item);
  }
  const firstRetired = view.findIndex(({ status }) => status === 'retired');
  return firstRetired < 0 ? rows : [...rows, ...view.slice(firstRetired)];
}

/** Functions that save the changes made on this page. */
function useListSaves(list: string) {
  const { api } = useConsole();
  const save = useSaveList(list);

  const saveOrder = ({ order, moved }: Move) =>
    save.orShowError({
      done: listTexts.orderSaved,
      undone: listTexts.orderRestored,
      values: [],
      findsConflicts: true,
      write: (version, latest) => {
        const next = mergeMove(order, moved, activeOrder(latest.items));
        if (fitsRequest(next)) return api.orderItems(list, version, next);
        const places = new Map(latest.items.map(({ value, sortOrder }) => [value, sortOrder]));
        return api.apply(
          orderDocument(
            latest,
            newPlaces(next, moved, (value) => places.get(value) ?? 0),
          ),
        );
      },
    });

  const restore = ({ value, label }: KeptItem) =>
    save.orShowError({
      done: listTexts.restoredDone(label),
      values: [value],
      write: (version) => api.restoreItem(list, version, value),
    });

  function changeSeveral(items: readonly KeptItem[], change: BulkChange): Promise<boolean> {
    const values = new Set(items.map(({ value }) => value));
    const [first] = items;
    const what = items.length === 1 && first !== undefined ? first.label : listTexts.values(items.length);
    return save.orShowError({
      done: change.kind === 'tag' ? listTexts.tagDone(change.tag, what) : doneTexts[change.kind](what),
      values: [...values],
      write: (_, latest) => api.apply(bulkDocument(latest, values, change)),
    });
  }

  return { saveOrder, restore, changeSeveral };
}

const doneTexts = {
  retire: listTexts.retiredDone,
  restore: listTexts.restoredDone,
  from: listTexts.fromDone,
  until: listTexts.untilDone,
};
