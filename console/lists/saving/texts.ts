// Asks what to save when somebody else has changed the same value.
import { catalogue } from '../../parts/catalogue.ts';

export const conflictTexts = catalogue(
  {
    title: 'This list changed while you were editing',
    saveMine: 'Save my change',
    bothChanged: (label: string) => `You and somebody else changed ${label}. Choose what to save.`,
    othersChanged: 'Your change is not saved yet. Others have changed the same values since:',
    before: (text: string) => `Before: ${text}`,
    mine: 'Mine',
    by: (name: string) => `By ${name}`,
    theirs: 'Theirs',
    onlyMine: 'Changed only by you, will be saved:',
    onlyTheirs: 'Changed only by others, will be kept:',
  },
  {
    title: 'Diese Liste wurde geändert, während Sie sie bearbeitet haben',
    saveMine: 'Meine Änderung speichern',
    bothChanged: (label: string) =>
      `Sie und jemand anderes haben ${label} geändert. Wählen Sie, was gespeichert werden soll.`,
    othersChanged: 'Ihre Änderung ist noch nicht gespeichert. Andere haben dieselben Werte seitdem geändert:',
    before: (text: string) => `Vorher: ${text}`,
    mine: 'Meine Eingabe',
    by: (name: string) => `Von ${name}`,
    theirs: 'Andere Änderung',
    onlyMine: 'Das haben nur Sie geändert. Es wird gespeichert:',
    onlyTheirs: 'Das haben nur andere geändert. Es bleibt so:',
  },
);
