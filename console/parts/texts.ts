// Texts that all parts share, the names of keys, and the keys that work on every page.
import { catalogue } from './catalogue.ts';

export const shared = catalogue(
  {
    product: 'Frontdesk',
    saving: 'Saving…',
    save: 'Save',
    cancel: 'Cancel',
    close: 'Close',
    details: 'Details',
    copied: 'Copied',
    clear: 'Clear',
    moreActions: 'More actions',
    openCalendar: 'Open calendar',
    remove: (what: string) => `Remove ${what}`,
  },
  {
    product: 'Frontdesk',
    saving: 'Wird gespeichert …',
    save: 'Speichern',
    cancel: 'Abbrechen',
    close: 'Schließen',
    details: 'Details',
    copied: 'Kopiert',
    clear: 'Leeren',
    moreActions: 'Weitere Aktionen',
    openCalendar: 'Kalender öffnen',
    remove: (what: string) => `${what} entfernen`,
  },
);

/** Whether the keyboard has the keys of an Apple computer. */
export const isApple = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '');

const keyNames = catalogue(
  {
    Mod: 'Ctrl',
    Command: 'Command',
    Shift: 'Shift',
    Alt: 'Alt',
    Option: 'Option',
    Enter: 'Enter',
    Escape: 'Esc',
    Backspace: 'Backspace',
    Space: 'Space',
    Tab: 'Tab',
    PageUp: 'Page up',
    PageDown: 'Page down',
    Home: 'Home',
    End: 'End',
    ArrowUp: 'Up',
    ArrowDown: 'Down',
    ArrowLeft: 'Left',
    ArrowRight: 'Right',
  },
  {
    Mod: 'Strg',
    Command: 'Befehl',
    Shift: 'Umschalt',
    Alt: 'Alt',
    Option: 'Wahl',
    Enter: 'Eingabe',
    Escape: 'Esc',
    Backspace: 'Rücktaste',
    Space: 'Leertaste',
    Tab: 'Tab',
    PageUp: 'Bild auf',
    PageDown: 'Bild ab',
    Home: 'Pos 1',
    End: 'Ende',
    ArrowUp: 'Pfeil auf',
    ArrowDown: 'Pfeil ab',
    ArrowLeft: 'Pfeil links',
    ArrowRight: 'Pfeil rechts',
  },
);
const arrows: Record<string, string> = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→' };
const appleSymbols: Record<string, string> = {
  Mod: '⌘',
  Shift: '⇧',
  Alt: '⌥',
  Enter: '↩',
  Escape: 'esc',
  Backspace: '⌫',
  Tab: '⇥',
  PageUp: '⇞',
  PageDown: '⇟',
  Home: '↖',
  End: '↘',
};
const appleNames: Record<string, string> = { Mod: keyNames.Command, Alt: keyNames.Option };

/** A key as it is printed on the keyboard. `Mod` is the command key on a Mac, and the control key elsewhere. */
export function keyText(key: string, apple = isApple): string {
  return arrows[key] ?? (apple ? appleSymbols[key] : undefined) ?? keyName(key, false);
}

/** A key as a screen reader says it. */
function keyName(key: string, apple = isApple): string {
  return (apple ? appleNames[key] : undefined) ?? (keyNames as Record<string, string>)[key] ?? key;
}

const joining = catalogue({ or: 'or', next: 'then' }, { or: 'oder', next: 'dann' });
export const nextKey = joining.next;

/**
 * Keys as a screen reader says them. Keys that are pressed together are joined by `+`, alternatives are separated by `|`,
 * and keys in sequence by `>`.
 */
export function spokenKeys(keys: string, apple?: boolean): string {
  const spoken = (together: string) =>
    together
      .split('+')
      .map((key) => keyName(key, apple))
      .join(' ');
  return keys
    .split('>')
    .map((step) => step.split('|').map(spoken).join(` ${joining.or} `))
    .join(`, ${joining.next} `);
}

/** What can be opened with the keys that work on every page. */
export type Command = 'go-to' | 'keyboard';

/** Elements in which `?` is typed as text. */
export const typingPlaces = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]';

interface Press {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

/** On a Mac, Ctrl+K edits text, so only ⌘K counts there. */
export function commandOf(press: Press, isTyping: boolean, apple = isApple): Command | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = press;
  if (key === '?' && !ctrlKey && !metaKey && !altKey) return isTyping ? undefined : 'keyboard';
  const [mod, other] = apple ? [metaKey, ctrlKey] : [ctrlKey, metaKey];
  return key.toLowerCase() === 'k' && mod && !other && !altKey && !shiftKey ? 'go-to' : undefined;
}
