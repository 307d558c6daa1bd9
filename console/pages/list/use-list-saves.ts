// The changes that are made on the list's page.
import type { KeptItem } from '../../../src/lookup/lookup-admin.schema.ts';
import { useConsole } from '../../shell/console-context.ts';
import { type BulkChange, bulkDocument } from './bulk-change.ts';
import { fitsRequest, newPlaces, orderDocument } from './order-places.ts';
import { useSaveList } from '../../lists/saving/use-save-list.ts';
import { activeOrder, mergeMove } from '../../lists/items/value-order.ts';
import { listTexts } from './texts.ts';
import type { Move } from './grid/use-moving.ts';

export function useListSaves(list: string) {
  const { api } = useConsole();
  const save = useSaveList(list);

  const saveOrder = ({ order, moved }: Move) =>
    save.orTell({
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
    save.orTell({
      done: listTexts.restoredDone(label),
      values: [value],
      write: (version) => api.restoreItem(list, version, value),
    });

  function changeSeveral(items: readonly KeptItem[], change: BulkChange): Promise<boolean> {
    const values = new Set(items.map(({ value }) => value));
    const [first] = items;
    const what = items.length === 1 && first !== undefined ? first.label : listTexts.values(items.length);
    return save.orTell({
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
