import { beforeEach, expect, test } from 'bun:test';
import { showDone, showError, toasts, undoNewest } from './toasts.ts';

const shown = () =>
  toasts.visibleToasts.map(({ content }) => (content.kind === 'error' ? String(content.error) : content.text));
const closeNewest = () => toasts.close(toasts.visibleToasts[0]?.key ?? '');

beforeEach(() => {
  while (toasts.visibleToasts.length > 0) closeNewest();
});

test('a toast that has disappeared does not come back', () => {
  for (const text of ['1', '2', '3', '4', '5', '6']) showDone(text);
  expect(shown()).toEqual(['6', '5']);
  closeNewest();
  expect(shown()).toEqual(['5']);
});

test('an error stays until it is closed, however many toasts follow', () => {
  showError(new Error('failed'));
  for (const text of ['1', '2', '3', '4', '5']) showDone(text);
  expect(shown()).toEqual(['5', '4', 'Error: failed']);
});

test('the undo key undoes the newest change on the page that a visible toast confirms, and only once', () => {
  const undone: string[] = [];
  const show = (text: string) => showDone(text, { page: 'list a', run: async () => undone.push(text) });
  const undo = () => undoNewest('list a', 0);
  expect(undo()).toBe(false);
  show('first');
  show('second');
  showError(new Error('failed'));
  expect([undoNewest('list b', 0), undone]).toEqual([false, []]);
  expect([undo(), undone]).toEqual([true, ['second']]);
  expect(shown()).toEqual(['Error: failed', 'first']);
  expect([undo(), undo(), undone]).toEqual([true, false, ['second', 'first']]);
});

test('the undo key leaves a change alone if the user has typed since', () => {
  const undone: string[] = [];
  const show = (text: string, at: number) => showDone(text, { page: 'list a', at, run: async () => undone.push(text) });
  show('first', 10);
  show('second', 20);
  expect([undoNewest('list a', 21), undone]).toEqual([false, []]);
  expect([undoNewest('list a', 19), undone]).toEqual([true, ['second']]);
  expect([undoNewest('list a', 19), undone]).toEqual([false, ['second']]);
});
