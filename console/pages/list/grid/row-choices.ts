import type { KeptItem } from '../../../../src/lookup/lookup-admin.schema.ts';
import { listTexts } from '../texts.ts';
import type { RowMenuChoice } from './row-menu.tsx';

interface ChoiceActions {
  open: (value: string) => void;
  rename: (value: string) => void;
  moveUp: (value: string) => void;
  moveDown: (value: string) => void;
  moveToTop: (value: string) => void;
  moveToBottom: (value: string) => void;
  retire: (item: KeptItem) => void;
  restore: (item: KeptItem) => void;
}

/** `position` is undefined where the value cannot be moved. */
export function rowChoices(
  item: KeptItem,
  position: number | undefined,
  total: number,
  actions: ChoiceActions,
): RowMenuChoice[] {
  const { value } = item;
  const isFirst = position === undefined || position === 1;
  const isLast = position === undefined || position === total;
  const choice = (id: string, name: string, choose: () => void, isDisabled = false): RowMenuChoice => ({
    id,
    name,
    choose,
    isDisabled,
  });
  return [
    choice('edit', listTexts.edit, () => actions.open(value)),
    choice('rename', listTexts.renameAction, () => actions.rename(value)),
    choice('up', listTexts.moveUp, () => actions.moveUp(value), isFirst),
    choice('down', listTexts.moveDown, () => actions.moveDown(value), isLast),
    choice('top', listTexts.moveToTop, () => actions.moveToTop(value), isFirst),
    choice('bottom', listTexts.moveToBottom, () => actions.moveToBottom(value), isLast),
    item.status === 'retired'
      ? choice('restore', listTexts.restore, () => actions.restore(item))
      : { ...choice('retire', listTexts.retire, () => actions.retire(item)), isDanger: true },
  ];
}
