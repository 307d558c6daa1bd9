// Headers of exported columns. The import recognises each of them.
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
    retired: 'Stillgelegt',
    replacedBy: 'Ersetzt durch',
    tags: 'Tags',
    sortOrder: 'Reihenfolge',
    labelIn: (language) => `Bezeichnung (${language})`,
    codeIn: (system) => `Code: ${system}`,
    onlyWith: (list) => `Nur mit: ${list}`,
    yes: 'ja',
  },
);
