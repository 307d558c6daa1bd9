// The names of a value's fields in forms and column headers. The import recognises every header that an export writes.
import type { PlainColumn } from '../../../src/lookup/rules/columns.ts';
import { catalogue } from '../../parts/catalogue.ts';

export const itemColumnTexts = catalogue(
  {
    list: 'List',
    value: 'Value',
    label: 'Label',
    description: 'Description',
    validFrom: 'Available from',
    validTo: 'Available until',
    retired: 'Retired',
    replacedBy: 'Replaced by',
    tags: 'Tags',
    sortOrder: 'Order',
    labelIn: (language: string) => `Label (${language})`,
    codeIn: (system: string) => `Code: ${system}`,
    onlyWith: (list: string) => `Only with: ${list}`,
    yes: 'yes',
  },
  {
    list: 'Liste',
    value: 'Wert',
    label: 'Bezeichnung',
    description: 'Beschreibung',
    validFrom: 'Verfügbar ab',
    validTo: 'Verfügbar bis',
    retired: 'Deaktiviert',
    replacedBy: 'Ersetzt durch',
    tags: 'Schlagwörter',
    sortOrder: 'Reihenfolge',
    labelIn: (language) => `Bezeichnung (${language})`,
    codeIn: (system) => `Code: ${system}`,
    onlyWith: (list) => `Nur mit: ${list}`,
    yes: 'ja',
  },
);

export type PlainField = 'list' | PlainColumn;

/** Common headers for each field without a key. Fields are offered and exported in the order of these entries. */
export const columnNames: Record<PlainField, string[]> = {
  list: ['list', 'list name', 'liste', 'listenname', 'lookup', 'name der liste'],
  value: ['value', 'wert', 'key', 'schlussel', 'identifier', 'id', 'kennung', 'stored value', 'gespeicherter wert'],
  label: [
    ...['label', 'labels', 'name', 'title', 'text', 'display name', 'job title', 'position', 'designation', 'caption'],
    ...['bezeichnung', 'beschriftung', 'titel', 'anzeigename', 'benennung', 'berufsbezeichnung', 'stelle'],
  ],
  description: [
    'description',
    'beschreibung',
    'note',
    'notes',
    'notiz',
    'comment',
    'kommentar',
    'hinweis',
    'erlauterung',
  ],
  validFrom: [
    ...['valid from', 'available from', 'from', 'start', 'start date', 'starts', 'effective from', 'effective date'],
    ...[
      'gultig ab',
      'gultig von',
      'verfugbar ab',
      'ab',
      'von',
      'beginn',
      'startdatum',
      'anfang',
      'gueltig ab',
      'gueltig von',
    ],
  ],
  validTo: [
    ...[
      'valid to',
      'valid until',
      'available until',
      'available to',
      'to',
      'until',
      'end',
      'end date',
      'ends',
      'expires',
    ],
    ...['gultig bis', 'verfugbar bis', 'bis', 'ende', 'enddatum', 'gueltig bis', 'ablauf', 'ablaufdatum'],
  ],
  retired: [
    ...['retired', 'inactive', 'deprecated', 'obsolete', 'is retired'],
    ...['deaktiviert', 'stillgelegt', 'inaktiv', 'veraltet', 'ausgemustert', 'zuruckgezogen'],
  ],
  replacedBy: [
    ...['replaced by', 'replacement', 'successor', 'replace with', 'use instead'],
    ...['ersetzt durch', 'ersatz', 'nachfolger', 'ersetzen durch'],
  ],
  tags: ['tags', 'tag', 'keywords', 'schlagworter', 'schlagworte', 'stichworter', 'stichworte', 'markierungen'],
  sortOrder: [
    ...['sort order', 'order', 'sort', 'sorting', 'rank', 'no', 'number', 'sequence'],
    ...['reihenfolge', 'sortierung', 'rang', 'nr', 'nummer', 'pos'],
  ],
};
