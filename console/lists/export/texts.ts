import { catalogue } from '../../parts/catalogue.ts';

export const exportTexts = catalogue(
  {
    export: 'Export',
    excel: 'Excel (.xlsx)',
    csv: 'CSV',
    yaml: 'YAML',
    template: 'Empty template (.xlsx)',
    allLists: 'All lists as Excel (.xlsx)',
    notExported: 'Not exported',
  },
  {
    export: 'Exportieren',
    excel: 'Excel (.xlsx)',
    csv: 'CSV',
    yaml: 'YAML',
    template: 'Leere Vorlage (.xlsx)',
    allLists: 'Alle Listen als Excel (.xlsx)',
    notExported: 'Nicht exportiert',
  },
);
