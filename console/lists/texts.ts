import { catalogue, counted, translatedText } from '../parts/catalogue.ts';
import type { ListSettings } from '../shell/api.ts';

/** The title of a list in the reader's language. */
export const shownTitle = ({ title, titles }: Pick<ListSettings, 'title' | 'titles'>): string =>
  translatedText(title, titles);

export const shownDescription = (list: Pick<ListSettings, 'description' | 'descriptions'>): string | null =>
  translatedText(list.description, list.descriptions);

export const sharedListTexts = catalogue(
  {
    undone: (done: string) => `Undone: ${done}`,
    children: (count: number) => `${counted(count, 'dependent value', 'dependent values')} in other lists`,
    notUndone: 'Couldn’t undo',
    notSaved: 'Not saved',
    conflictTitle: 'This list changed while you were editing',
    changedSince:
      'The same values have been changed since. The history shows who changed them. You can restore an earlier version there.',
    changedSinceBy: (who: string | undefined, what: string, when: string, version: number) =>
      `${who ?? 'You'} later changed the same values (${what}; ${when}, version ${version}). Undo that change first, in the history.`,
    showAll: (count: number) => `Show ${counted(count, 'more change', 'more changes')}`,
    showAllOf: (version: number) => `in version ${version}`,
    showLess: 'Show fewer',
    loadMore: (next: string, all: string) => `Load ${next} of ${all} remaining changes`,
    undoThis: 'Undo this change',
    undoThisOf: (version: number) => `in version ${version}`,
    changeUndone: (version: number) => `Change in version ${version} undone`,
    notRestorable: (reasons: string) => `The earlier content can no longer be restored. ${reasons}.`,
    changeReapplied: (version: number) => `Change in version ${version} reapplied`,
    cannotUndo: 'Can’t be undone on its own.',
    standsInTheWay: (who: string | undefined) => `${who ?? 'You'} later changed the same values:`,
    versionName: (version: number) => `Version ${version}`,
    commandLine: (account: string) => `${account} (command line)`,
    program: (name: string) => `Program ${name}`,
    reason: 'Reason (optional)',
    reasonHint: 'Shown in the history',
    language: 'Language',
    noLanguage: 'No languages found',
    values: 'Values',
    translations: 'Translations',
    history: 'History',
    settings: 'Settings',
    import: 'Import',
    listSections: 'Sections of this list',
    listArchived: 'This list is archived. Forms can’t use it; you can still change it.',
    listArchivedReadOnly: 'This list is archived. Forms can’t use it.',
    accessLost: 'You no longer have access to this list. What you see may be out of date and can’t be saved.',
    rightsLost: 'You can no longer change this list. What you typed is still here but can’t be saved.',
    allLists: 'All lists',
    readOnly: 'You can view this list but not change it.',
    noValues: 'This list has no values yet',
    showAllValues: 'Show all values',
    addLanguage: 'Add language',
    addLanguageHint: 'Name, such as German',
    nameHint: 'Used in URLs and by applications. Can’t be changed later.',
  },
  {
    undone: (done: string) => `Rückgängig gemacht: ${done}`,
    children: (count: number) => `${counted(count, 'abhängiger Wert', 'abhängige Werte')} in anderen Listen`,
    notUndone: 'Konnte nicht rückgängig gemacht werden',
    notSaved: 'Nicht gespeichert',
    conflictTitle: 'Diese Liste wurde geändert, während Sie sie bearbeitet haben',
    changedSince:
      'Dieselben Werte wurden seitdem geändert. Der Verlauf zeigt, von wem; dort können Sie eine ältere Version wiederherstellen.',
    changedSinceBy: (who: string | undefined, what: string, when: string, version: number) =>
      `${who === undefined ? 'Sie haben' : `${who} hat`} dieselben Werte später geändert (${what}; ${when}, Version ${version}). Machen Sie zuerst diese Änderung im Verlauf rückgängig.`,
    showAll: (count: number) => `${counted(count, 'weitere Änderung', 'weitere Änderungen')} anzeigen`,
    showAllOf: (version: number) => `(Version ${version})`,
    showLess: 'Weniger anzeigen',
    loadMore: (next: string, all: string) => `${next} von ${all} weiteren Änderungen laden`,
    undoThis: 'Diese Änderung rückgängig machen',
    undoThisOf: (version: number) => `(Version ${version})`,
    changeUndone: (version: number) => `Änderung aus Version ${version} rückgängig gemacht`,
    notRestorable: (reasons: string) => `Der frühere Inhalt ist nicht mehr möglich. ${reasons}.`,
    changeReapplied: (version: number) => `Änderung aus Version ${version} wieder übernommen`,
    cannotUndo: 'Lässt sich nicht einzeln rückgängig machen.',
    standsInTheWay: (who: string | undefined) =>
      `${who === undefined ? 'Sie haben' : `${who} hat`} dieselben Werte später geändert:`,
    versionName: (version: number) => `Version ${version}`,
    commandLine: (account: string) => `${account} (Kommandozeile)`,
    program: (name: string) => `Programm ${name}`,
    reason: 'Grund (optional)',
    reasonHint: 'Wird im Verlauf angezeigt',
    language: 'Sprache',
    noLanguage: 'Keine Sprache gefunden',
    values: 'Werte',
    translations: 'Übersetzungen',
    history: 'Verlauf',
    settings: 'Einstellungen',
    import: 'Import',
    listSections: 'Bereiche dieser Liste',
    listArchived: 'Diese Liste ist archiviert. Formulare können sie nicht verwenden; ändern können Sie sie weiterhin.',
    listArchivedReadOnly: 'Diese Liste ist archiviert. Formulare können sie nicht verwenden.',
    accessLost:
      'Sie haben keinen Zugriff mehr auf diese Liste. Die angezeigten Daten sind möglicherweise veraltet und lassen sich nicht speichern.',
    rightsLost:
      'Sie können diese Liste nicht mehr ändern. Ihre Eingaben sind noch da, können aber nicht gespeichert werden.',
    allLists: 'Alle Listen',
    readOnly: 'Sie können diese Liste ansehen, aber nicht ändern.',
    noValues: 'Diese Liste hat noch keine Werte',
    showAllValues: 'Alle Werte anzeigen',
    addLanguage: 'Sprache hinzufügen',
    addLanguageHint: 'Name, zum Beispiel Deutsch',
    nameHint: 'Wird in URLs und von Anwendungen verwendet. Kann später nicht geändert werden.',
  },
);

/** The names of a list's settings. */
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
