// The overview that `?` opens: all keyboard shortcuts of the console, grouped by where they work.

import { Button } from '../parts/button.tsx';
import { catalogue } from '../parts/catalogue.ts';
import { Actions, Dialog } from '../parts/dialog.tsx';
import { keyText, nextKey, shared, spokenKeys } from '../parts/texts.ts';
import { shellTexts } from './texts.ts';

const texts = catalogue(
  {
    everywhere: 'Everywhere',
    goTo: 'Go to a list, value or page; add a value',
    goToPage: 'Go to a page',
    keys: 'Show this overview',
    undo: 'Undo the last change while its message is shown',
    messages: 'Go to notifications',
    close: 'Close a dialog, panel or menu',
    list: 'Values of a list',
    search: 'Search the values',
    rows: 'Go to another value',
    jump: 'Go up or down a page',
    ends: 'Go to the first or last value',
    inRow: 'Go to the buttons of a value',
    open: 'Open the value',
    rename: 'Rename the value',
    select: 'Select the value',
    selectMore: 'Select several values',
    selectAll: 'Select all values',
    unselect: 'Clear the selection',
    move: 'Move the value up or down',
    lift: 'On the handle: move the value',
    value: 'A value',
    save: 'Save',
    tag: 'Add the tag that you typed',
    removeTag: 'In an empty field: remove the last tag',
    translations: 'Translations',
    type: 'Edit the text of the cell',
    cells: 'Go to another cell',
    next: 'Go to the next cell',
    previous: 'Go to the previous cell',
    corners: 'Go to the first or last cell',
    paste: 'Paste a block from a spreadsheet',
    undoPaste: 'Undo the last paste',
    cancel: 'Restore the text, or leave the table',
    finding: 'Searching lists and values',
    choose: 'Choose a result',
    openFound: 'Open the result',
  },
  {
    everywhere: 'Überall',
    goTo: 'Liste, Wert oder Seite öffnen; Wert hinzufügen',
    goToPage: 'Seite öffnen',
    keys: 'Diese Übersicht anzeigen',
    undo: 'Letzte Änderung rückgängig machen, solange die Meldung angezeigt wird',
    messages: 'Zu den Benachrichtigungen wechseln',
    close: 'Dialog, Seitenleiste oder Menü schließen',
    list: 'Werte einer Liste',
    search: 'Werte durchsuchen',
    rows: 'Zu einem anderen Wert wechseln',
    jump: 'Eine Bildschirmseite nach oben oder unten springen',
    ends: 'Zum ersten oder letzten Wert springen',
    inRow: 'Zu den Schaltflächen eines Werts wechseln',
    open: 'Wert öffnen',
    rename: 'Wert umbenennen',
    select: 'Wert auswählen',
    selectMore: 'Mehrere Werte auswählen',
    selectAll: 'Alle Werte auswählen',
    unselect: 'Auswahl aufheben',
    move: 'Wert nach oben oder unten verschieben',
    lift: 'Am Griff: Wert verschieben',
    value: 'Ein Wert',
    save: 'Speichern',
    tag: 'Eingegebenes Schlagwort hinzufügen',
    removeTag: 'Im leeren Feld: letztes Schlagwort entfernen',
    translations: 'Übersetzungen',
    type: 'Text der Zelle bearbeiten',
    cells: 'Zu einer anderen Zelle wechseln',
    next: 'Zur nächsten Zelle wechseln',
    previous: 'Zur vorherigen Zelle wechseln',
    corners: 'Zur ersten oder letzten Zelle springen',
    paste: 'Block aus einer Tabellenkalkulation einfügen',
    undoPaste: 'Letztes Einfügen rückgängig machen',
    cancel: 'Text wiederherstellen oder die Tabelle verlassen',
    finding: 'Listen und Werte durchsuchen',
    choose: 'Ergebnis auswählen',
    openFound: 'Ergebnis öffnen',
  },
);

/** Keys in the notation of `spokenKeys`. */
type Keys = string;

interface Group {
  name: string;
  keys: readonly (readonly [Keys, string])[];
}

/** For users who cannot see lists. */
const keysWithoutLists: readonly Group[] = [
  {
    name: texts.everywhere,
    keys: [
      ['Mod+K', texts.goToPage],
      ['?', texts.keys],
      ['F6', texts.messages],
      ['Escape', texts.close],
    ],
  },
];

/** In this order, the groups fill three columns evenly. */
const allKeys: readonly Group[] = [
  {
    name: texts.everywhere,
    keys: [
      ['Mod+K', texts.goTo],
      ['?', texts.keys],
      ['Mod+Z', texts.undo],
      ['F6', texts.messages],
      ['Escape', texts.close],
    ],
  },
  {
    name: texts.finding,
    keys: [
      ['ArrowUp|ArrowDown', texts.choose],
      ['Enter', texts.openFound],
    ],
  },
  {
    name: texts.value,
    keys: [
      ['Mod+Enter', texts.save],
      ['Enter', texts.tag],
      ['Backspace', texts.removeTag],
    ],
  },
  {
    name: texts.list,
    keys: [
      ['/', texts.search],
      ['ArrowUp|ArrowDown', texts.rows],
      ['PageUp|PageDown', texts.jump],
      ['Home|End', texts.ends],
      ['ArrowLeft|ArrowRight', texts.inRow],
      ['Enter', texts.open],
      ['F2', texts.rename],
      ['Space', texts.select],
      ['Shift+ArrowUp|Shift+ArrowDown', texts.selectMore],
      ['Mod+A', texts.selectAll],
      ['Escape', texts.unselect],
      ['Alt+ArrowUp|Alt+ArrowDown', texts.move],
      ['Space>ArrowUp|ArrowDown>Space', texts.lift],
    ],
  },
  {
    name: texts.translations,
    keys: [
      ['F2', texts.type],
      ['ArrowUp|ArrowDown|ArrowLeft|ArrowRight', texts.cells],
      ['Enter|Tab', texts.next],
      ['Shift+Enter|Shift+Tab', texts.previous],
      ['Mod+Home|Mod+End', texts.corners],
      ['Mod+V', texts.paste],
      ['Mod+Z', texts.undoPaste],
      ['Escape', texts.cancel],
    ],
  },
];

export function KeyboardMap({ seesLists, onClose }: { seesLists: boolean; onClose: () => void }) {
  const groups = seesLists ? allKeys : keysWithoutLists;
  return (
    <Dialog title={shellTexts.keyboard} isWide={seesLists} onClose={onClose}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className="keyboard-map" aria-label={shellTexts.keyboard} tabIndex={0}>
        <div className="keyboard-columns">
          {groups.map(({ name, keys }) => (
            <div key={name} className="keyboard-group">
              <h3>{name}</h3>
              <dl>
                {keys.map(([pressed, does]) => (
                  <div key={pressed}>
                    <dt>{does}</dt>
                    <dd>
                      <KeyCaps keys={pressed} />
                    </dd>
                  </div>
                ))}
              </dl>
            </div>
          ))}
        </div>
      </section>
      <Actions>
        <Button look="primary" autoFocus onPress={onClose}>
          {shared.close}
        </Button>
      </Actions>
    </Dialog>
  );
}

/** Screen readers read the names of the keys, not their symbols. */
function KeyCaps({ keys }: { keys: Keys }) {
  const steps = keys.split('>').map((step) => step.split('|').map((together) => together.split('+')));
  return (
    <>
      <span aria-hidden="true">
        {steps.map((choices, step) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the order never changes
          <span key={step}>
            {step > 0 && <span className="quiet"> {nextKey} </span>}
            {choices.map((together) => (
              <span key={together.join()} className="key-choice">
                {together.map((key) => (
                  <kbd key={key}>{keyText(key)}</kbd>
                ))}
              </span>
            ))}
          </span>
        ))}
      </span>
      <span className="unseen">{spokenKeys(keys)}</span>
    </>
  );
}
