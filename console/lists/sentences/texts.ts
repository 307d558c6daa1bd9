// Templates for the history's sentences. Names in braces are filled in by item-sentences.ts and history-sentences.ts.
import { catalogue, counted, formatNumber } from '../../parts/catalogue.ts';

export type ChangeKind = 'added' | 'retired' | 'restored' | 'renamed' | 'translated' | 'changed';
type Counts = readonly (readonly [ChangeKind, number])[];

/** `12 values added, 3 retired`: only the first count has a noun. */
const summarise = (counts: Counts, one: string, other: string, words: Record<ChangeKind, string>) =>
  counts
    .map(([kind, count], index) => `${index === 0 ? counted(count, one, other) : formatNumber(count)} ${words[kind]}`)
    .join(', ');

export const historyEnglish = {
  created: 'created the list',
  order: 'changed the order',
  restoredVersion: 'restored version {version}',
  nothing: 'no changes',
  summary: (counts: Counts) =>
    summarise(counts, 'value', 'values', {
      added: 'added',
      retired: 'retired',
      restored: 'restored',
      renamed: 'renamed',
      translated: 'translated',
      changed: 'changed',
    }),
  more: (count: number) => `and ${formatNumber(count)} more`,

  added: 'added {label}',
  addedFrom: 'added {label}, available from {from}',
  addedUntil: 'added {label}, available until {to}',
  addedFromUntil: 'added {label}, available from {from} until {to}',
  addedRetired: 'added {label} as a retired value',
  removed: 'removed {label}',
  retired: 'retired {label}',
  retiredFor: 'retired {label}, replaced by {replacement}',
  restored: 'restored {label}',
  replacement: 'changed the replacement of {label} to {replacement}',
  replacementRemoved: 'removed the replacement of {label}',
  renamed: 'renamed {before} to {after}',
  translated: 'translated {label} into {language}: {after}',
  translationChanged: 'changed the {language} translation of {label} from {before} to {after}',
  translationRemoved: 'removed the {language} translation of {label}',
  from: 'made {label} available from {from}',
  until: 'made {label} available until {to}',
  fromUntil: 'made {label} available from {from} until {to}',
  anyDay: 'removed the dates of {label}',
  codeSet: 'set the {system} code of {label} to {after}',
  codeChanged: 'changed the {system} code of {label} from {before} to {after}',
  codeRemoved: 'removed the {system} code of {label}',
  tagged: 'tagged {label} with {tags}',
  untagged: 'removed tags from {label}: {tags}',
  described: 'changed the description of {label} to {after}',
  undescribed: 'removed the description of {label}',
  limited: 'made {label} depend on {list}: {values}',
  unlimited: 'made {label} independent of {list}',

  was: ' (before: {before})',
  days: ['', 'from {from}', 'until {to}', 'from {from} until {to}'] as [string, string, string, string],

  title: 'renamed the list from {before} to {after}',
  titleTranslated: 'translated the title of the list into {language}: {after}',
  titleTranslationChanged: 'changed the {language} title of the list from {before} to {after}',
  titleUntranslated: 'removed the {language} title of the list',
  listDescribed: 'changed the description of the list to {after}',
  listUndescribed: 'removed the description of the list',
  listDescribedIn: 'changed the {language} description of the list to {after}',
  listUndescribedIn: 'removed the {language} description of the list',
  readers: 'changed who can read the list: {roles}',
  readersDefault: 'changed who can read the list: everyone who can read lists',
  keepers: 'changed who can manage the list: administrators and {roles}',
  keepersDefault: 'changed who can manage the list: administrators only',
  archived: 'archived the list',
  unarchived: 'unarchived the list',
};

export const historyGerman: typeof historyEnglish = {
  created: 'Liste angelegt',
  order: 'Reihenfolge geändert',
  restoredVersion: 'Version {version} wiederhergestellt',
  nothing: 'keine Änderungen',
  summary: (counts) =>
    summarise(counts, 'Wert', 'Werte', {
      added: 'hinzugefügt',
      retired: 'deaktiviert',
      restored: 'reaktiviert',
      renamed: 'umbenannt',
      translated: 'übersetzt',
      changed: 'geändert',
    }),
  more: (count) => `und ${formatNumber(count)} weitere`,

  added: '{label} hinzugefügt',
  addedFrom: '{label} hinzugefügt, verfügbar ab {from}',
  addedUntil: '{label} hinzugefügt, verfügbar bis {to}',
  addedFromUntil: '{label} hinzugefügt, verfügbar vom {from} bis {to}',
  addedRetired: '{label} als deaktivierten Wert hinzugefügt',
  removed: '{label} entfernt',
  retired: '{label} deaktiviert',
  retiredFor: '{label} deaktiviert, ersetzt durch {replacement}',
  restored: '{label} reaktiviert',
  replacement: 'Ersatz für {label} geändert in {replacement}',
  replacementRemoved: 'Ersatz für {label} entfernt',
  renamed: '{before} in {after} umbenannt',
  translated: '{label} übersetzt ({language}): {after}',
  translationChanged: 'Übersetzung von {label} ({language}) von {before} in {after} geändert',
  translationRemoved: 'Übersetzung von {label} ({language}) entfernt',
  from: '{label} verfügbar ab {from}',
  until: '{label} verfügbar bis {to}',
  fromUntil: '{label} verfügbar vom {from} bis {to}',
  anyDay: 'Zeitraum von {label} entfernt',
  codeSet: 'Code von {label} für {system} festgelegt: {after}',
  codeChanged: 'Code von {label} für {system} von {before} in {after} geändert',
  codeRemoved: 'Code von {label} für {system} entfernt',
  tagged: '{label} mit Schlagwörtern versehen: {tags}',
  untagged: 'Schlagwörter von {label} entfernt: {tags}',
  described: 'Beschreibung von {label} geändert in {after}',
  undescribed: 'Beschreibung von {label} entfernt',
  limited: '{label} beschränkt auf {list}: {values}',
  unlimited: 'Beschränkung von {label} auf {list} aufgehoben',

  was: ' (vorher: {before})',
  days: ['', 'ab {from}', 'bis {to}', 'vom {from} bis {to}'],

  title: 'Liste von {before} in {after} umbenannt',
  titleTranslated: 'Titel der Liste übersetzt ({language}): {after}',
  titleTranslationChanged: 'Titel der Liste ({language}) von {before} in {after} geändert',
  titleUntranslated: 'Titel der Liste ({language}) entfernt',
  listDescribed: 'Beschreibung der Liste geändert in {after}',
  listUndescribed: 'Beschreibung der Liste entfernt',
  listDescribedIn: 'Beschreibung der Liste ({language}) geändert in {after}',
  listUndescribedIn: 'Beschreibung der Liste ({language}) entfernt',
  readers: 'Leserechte geändert: {roles}',
  readersDefault: 'Leserechte geändert: alle, die Listen lesen dürfen',
  keepers: 'Verwaltungsrechte geändert: Administratoren und {roles}',
  keepersDefault: 'Verwaltungsrechte geändert: nur Administratoren',
  archived: 'Liste archiviert',
  unarchived: 'Archivierung der Liste aufgehoben',
};

export type HistoryTexts = typeof historyEnglish;
export const historyTexts = catalogue(historyEnglish, historyGerman);
