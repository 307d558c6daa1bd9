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
    sameAsNow: 'No differences from the current version.',
    restore: 'Restore this version',
    filter: 'Filter values',
    all: 'All values',
    different: 'Changed since',
    table: 'Values at that time',
    since: 'Since then',
    notThere: 'Not in the list yet',
    now: 'now',
    settings: 'List settings that have changed since',
    noValues: 'The list had no values',
    noDifferences: 'No values have changed since',
    showMore: (count: number) => `Show ${counted(count, 'more value', 'more values')}`,
    none: 'none',
    yes: 'yes',
    no: 'no',

    restoreTitle: (version: number) => `Restore version ${version}?`,
    restoreText: 'The history will say:',
    restoreKeeps: 'Nothing is deleted: values added since then are retired. Permissions stay as they are.',
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
    sameAsNow: 'Keine Unterschiede zur aktuellen Version.',
    restore: 'Diese Version wiederherstellen',
    filter: 'Werte filtern',
    all: 'Alle Werte',
    different: 'Seitdem geändert',
    table: 'Werte zu diesem Zeitpunkt',
    since: 'Seitdem',
    notThere: 'Noch nicht in der Liste',
    now: 'jetzt',
    settings: 'Seitdem geänderte Einstellungen der Liste',
    noValues: 'Die Liste hatte keine Werte',
    noDifferences: 'Seitdem wurden keine Werte geändert',
    showMore: (count: number) => `${counted(count, 'weiteren Wert', 'weitere Werte')} anzeigen`,
    none: 'leer',
    yes: 'ja',
    no: 'nein',

    restoreTitle: (version: number) => `Version ${version} wiederherstellen?`,
    restoreText: 'Im Verlauf wird stehen:',
    restoreKeeps:
      'Nichts wird gelöscht: Seitdem hinzugefügte Werte werden deaktiviert. Die Berechtigungen bleiben unverändert.',
    restored: (version: number) => `Version ${version} wiederhergestellt`,
    changedTitle: 'Diese Liste wurde geändert, während Sie sie angesehen haben',
    changedMeanwhile:
      'Die hier gezeigten Änderungen wurden aktualisiert. Prüfen Sie sie und versuchen Sie es erneut. Es wurde nichts geändert.',
  },
);

/** What happened to a value since a version. */
export const markNames = catalogue(
  { same: '', changed: 'Changed', added: 'Added', retired: 'Retired', restored: 'Restored' },
  {
    same: '',
    changed: 'Geändert',
    added: 'Hinzugefügt',
    retired: 'Deaktiviert',
    restored: 'Reaktiviert',
  },
);

export const settingTexts = catalogue(
  {
    title: 'Title',
    titles: 'Translations of the title',
    description: 'Description',
    descriptions: 'Translations of the description',
    readers: 'Who can read',
    keepers: 'Who can manage',
    archived: 'Archived',
  },
  {
    title: 'Titel',
    titles: 'Übersetzungen des Titels',
    description: 'Beschreibung',
    descriptions: 'Übersetzungen der Beschreibung',
    readers: 'Wer lesen darf',
    keepers: 'Wer verwalten darf',
    archived: 'Archiviert',
  },
);
