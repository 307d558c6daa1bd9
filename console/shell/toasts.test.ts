import { beforeEach, expect, test } from 'bun:test';
import { showDone, showError, toasts } from './toasts.ts';

const shown = () =>
  toasts.visibleToasts.map(({ content }) => (content.kind === 'error' ? String(content.error) : content.text));
const closeNewest = () => toasts.close(toasts.visibleToasts[0]?.key ?? '');

beforeEach(() => {
  while (toasts.visibleToasts.length > 0) closeNewest();
});

test('a toast that went out of view does not come back', () => {
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
