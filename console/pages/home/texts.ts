import { catalogue, counted } from '../../parts/catalogue.ts';

export const home = catalogue(
  {
    greeting: (name: string) => (name === '' ? 'Welcome' : `Welcome, ${name}`),
    recent: 'Recently changed',
    attention: 'Needs attention',
    nothingToDo: 'Nothing needs your attention.',
    scheduled: (count: number) => `${counted(count, 'value becomes', 'values become')} available later`,
    missingLabels: (count: number, languages: string) =>
      `${counted(count, 'translation is', 'translations are')} missing: ${languages}`,
    noLists: 'There are no lists yet',
    noListsText: 'Create the first one, or import lists from a file.',
    openLists: 'Open lists',
    quickLinks: 'Quick links',
    importText: 'Add or change values from Excel, CSV or YAML',
    previewText: 'See how the lists look in a form, in any language',
    auditText: 'Who signed in, and who changed what',
    apiText: 'Interactive API reference',
    details: 'Your details',
    toProfile: 'Profile and sessions',
    changedBy: (name: string) => `by ${name}`,
  },
  {
    greeting: (name: string) => (name === '' ? 'Willkommen' : `Willkommen, ${name}`),
    recent: 'Zuletzt geändert',
    attention: 'Zu erledigen',
    nothingToDo: 'Im Moment ist nichts zu erledigen.',
    scheduled: (count: number) => `${counted(count, 'Wert wird', 'Werte werden')} später verfügbar`,
    missingLabels: (count: number, languages: string) =>
      `${counted(count, 'Übersetzung fehlt', 'Übersetzungen fehlen')}: ${languages}`,
    noLists: 'Es gibt noch keine Listen',
    noListsText: 'Legen Sie die erste an oder importieren Sie Listen aus einer Datei.',
    openLists: 'Listen öffnen',
    quickLinks: 'Schnellzugriff',
    importText: 'Werte aus Excel, CSV oder YAML hinzufügen oder ändern',
    previewText: 'So sehen die Listen in einem Formular aus, in jeder Sprache',
    auditText: 'Wer sich angemeldet und wer was geändert hat',
    apiText: 'API-Beschreibung zum Ausprobieren',
    details: 'Ihre Angaben',
    toProfile: 'Profil und Sitzungen',
    changedBy: (name: string) => `von ${name}`,
  },
);
