import { describe, expect, test } from 'bun:test';
import { commandOf, keyText, spokenKeys } from './texts.ts';

const plain = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

describe('keys that work on every page', () => {
  test.each<[string, Partial<typeof plain>, boolean, boolean, 'go-to' | 'keyboard' | undefined]>([
    ['k', { ctrlKey: true }, false, false, 'go-to'],
    ['K', { ctrlKey: true }, true, false, 'go-to'],
    ['k', { metaKey: true }, false, false, undefined],
    ['k', { metaKey: true }, true, true, 'go-to'],
    ['k', { ctrlKey: true }, true, true, undefined],
    ['k', { ctrlKey: true, shiftKey: true }, false, false, undefined],
    ['k', {}, false, false, undefined],
    ['?', { shiftKey: true }, false, false, 'keyboard'],
    ['?', { shiftKey: true }, true, false, undefined],
    ['?', { ctrlKey: true }, false, false, undefined],
  ])('%s with %j, typing: %p, on a Mac: %p', (key, modifiers, isTyping, isApple, command) => {
    expect(commandOf({ ...plain, key, ...modifiers }, isTyping, isApple)).toBe(command as 'go-to');
  });
});

test('keys are shown as they are printed on the keyboard, and read by name', () => {
  expect(['Mod', 'Alt', 'Enter', 'ArrowUp', 'F2', 'K'].map((key) => keyText(key, false))).toEqual([
    'Ctrl',
    'Alt',
    'Enter',
    '↑',
    'F2',
    'K',
  ]);
  expect(['Mod', 'Alt', 'Enter', 'ArrowUp', 'F2', 'K'].map((key) => keyText(key, true))).toEqual([
    '⌘',
    '⌥',
    '↩',
    '↑',
    'F2',
    'K',
  ]);
  expect(spokenKeys('Mod+K', true)).toBe('Command K');
  expect(spokenKeys('Space>ArrowUp|ArrowDown>Space', false)).toBe('Space, then Up or Down, then Space');
});
