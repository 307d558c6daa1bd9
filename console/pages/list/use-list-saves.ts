// Saves the changes made on the list's page.
import { activeOrder, mergeMove } from '../../lists/items/value-order.ts';
import { useSaveList } from '../../lists/saving/use-save-list.ts';
import type { KeptItem } from '../../shell/api.ts';
import { useConsole } from '../../shell/console-context.ts';
import { type BulkChange, bulkDocument } from './bulk-change.ts';
import type { Move } from './grid/use-moving.ts';
import { fitsRequest, newPlaces, orderDocument } from './order-places.ts';
import { listTexts } from './texts.ts';

export function useListSaves(list: string) {
  const { api } = useConsole();
  const save = useSaveList(list);

  const saveOrder = ({ order, moved }: Move) =>
    save.orShowError({
      done: listTexts.orderSaved,
      values: [],
      isOrder: true,
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
      done: doneText(change, what),
      values: [...values],
      write: (_, latest) => api.apply(bulkDocument(latest, values, change)),
    });
  }

  return { saveOrder, restore, changeSeveral };
}

function doneText(change: BulkChange, what: string): string {
  switch (change.kind) {
    case 'retire':
      return listTexts.retiredDone(what);
    case 'restore':
      return listTexts.restoredDone(what);
    case 'from':
      return listTexts.fromDone(what);
    case 'until':
      return listTexts.untilDone(what);
    case 'tag':
      return listTexts.tagDone(change.tag, what);
  }
}
