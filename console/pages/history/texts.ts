// The pages of a list's history and of one of its versions.
import { catalogue, counted } from '../../parts/catalogue.ts';

export const versionTexts = catalogue(
  {
    historyOf: (title: string) => `History of ${title}`,
    version: (version: number) => `Version ${version}`,
    current: 'Current',
    view: 'View',
    beginning: 'This is the first version.',

    asOf: (version: number, title: string) => `Version ${version} of ${title}`,
    savedBy: 'Saved by',
    isCurrent: 'This is the current version.',
    sameAsNow: 'The current list is the same.',
    restore: 'Restore this version',
    filter: 'Which values',
    all: 'All values',
    different: 'Different now',
    table: 'Values at that time',
    since: 'Since then',
    notThere: 'Not in the list yet',
    now: 'now',
    settings: 'List settings that are different now',
    noValues: 'The list had no values',
    noDifferences: 'No value is different now',
    showMore: (count: number) => `Show ${counted(count, 'more value', 'more values')}`,
    none: 'none',
    yes: 'yes',
    no: 'no',

    restoreTitle: (version: number) => `Restore version ${version}?`,
    restoreText: 'The history will say:',
    restoreKeeps: 'Nothing is deleted: values added since are retired. Who can read or manage the list stays as it is.',
    restored: (version: number) => `Version ${version} restored`,
    changedTitle: 'This list changed while you were reading',
    changedMeanwhile: 'The changes shown here have been updated. Check them and try again. Nothing was changed.',
  },
  {
    historyOf: (title: string) => `Verlauf von ${title}`,
    version: (version: number) => `Version ${version}`,
    current: 'Aktuell',
    view: 'Ansehen',
    beginning: 'Das ist die erste Version.',

    asOf: (version: number, title: string) => `Version ${version} von ${title}`,
    savedBy: 'Gespeichert von',
    isCurrent: 'Das ist die aktuelle Version.',
    sameAsNow: 'Die aktuelle Liste ist genauso.',
    restore: 'Diese Version wiederherstellen',
    filter: 'Welche Werte',
    all: 'Alle Werte',
    different: 'Jetzt anders',
    table: 'Werte zu diesem Zeitpunkt',
    since: 'Seitdem',
    notThere: 'Noch nicht in der Liste',
    now: 'jetzt',
    settings: 'Einstellungen der Liste, die jetzt anders sind',
    noValues: 'Die Liste hatte keine Werte',
    noDifferences: 'Kein Wert ist jetzt anders',
    showMore: (count: number) => `${counted(count, 'weiteren Wert', 'weitere Werte')} anzeigen`,
    none: 'nichts',
    yes: 'ja',
    no: 'nein',

    restoreTitle: (version: number) => `Version ${version} wiederherstellen?`,
    restoreText: 'Im Verlauf wird stehen:',
    restoreKeeps:
      'Nichts wird gelöscht: Seitdem hinzugefügte Werte werden stillgelegt. Wer die Liste lesen oder verwalten darf, bleibt gleich.',
    restored: (version: number) => `Version ${version} wiederhergestellt`,
    changedTitle: 'Diese Liste wurde geändert, während Sie gelesen haben',
    changedMeanwhile:
      'Was die Wiederherstellung ändern würde, ist jetzt aktualisiert: Prüfen Sie es und versuchen Sie es erneut. Es wurde nichts geändert.',
  },
);

/** What happened to a value since a version. */
export const markNames = catalogue(
  { same: '', changed: 'Changed', added: 'Added', retired: 'Retired', restored: 'Restored' },
  {
    same: '',
    changed: 'Geändert',
    added: 'Hinzugefügt',
    retired: 'Stillgelegt',
    restored: 'Wiederhergestellt',
  },
);

export const settingNames = catalogue(
  {
    title: 'Title',
    description: 'Description',
    readers: 'Who can read',
    keepers: 'Who can manage',
    archived: 'Archived',
  },
  {
    title: 'Titel',
    description: 'Beschreibung',
    readers: 'Wer lesen darf',
    keepers: 'Wer verwalten darf',
    archived: 'Archiviert',
  },
);
