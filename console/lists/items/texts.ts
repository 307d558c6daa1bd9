import { catalogue, counted } from '../../parts/catalogue.ts';

export const itemTexts = catalogue(
  {
    codeIn: (system: string) => `Code in ${system}`,
    valuesOf: (title: string) => `Values of ${title}`,
    noValueFound: 'No value found',
    retired: 'Retired',
    active: 'Active',
    activeFrom: (day: string) => `From ${day}`,
    activeUntil: (day: string) => `Until ${day}`,
    retireTitle: (label: string) => `Retire ${label}?`,
    retireText: 'Removed from forms. Existing records keep it; you can restore it.',
    retireChildren: (count: number) =>
      `${counted(count, 'value', 'values')} in other lists ${count === 1 ? 'is' : 'are'} offered only together with this value. If you choose a replacement, ${count === 1 ? 'it is' : 'they are'} offered with the replacement instead.`,
    noReplacement: 'No replacement',
    replacementHint: 'Applications can offer it instead',
    retireAction: 'Retire',
    wasRetired: (label: string) => `${label} retired`,
    empty: 'Empty',
    status: 'Status',
    translation: (language: string) => `${language} translation`,
    expired: (day: string) => `Expired ${day}`,
  },
  {
    codeIn: (system: string) => `Code in ${system}`,
    valuesOf: (title: string) => `Werte aus ${title}`,
    noValueFound: 'Kein Wert gefunden',
    retired: 'Stillgelegt',
    active: 'Aktiv',
    activeFrom: (day: string) => `Ab ${day}`,
    activeUntil: (day: string) => `Bis ${day}`,
    retireTitle: (label: string) => `${label} stilllegen?`,
    retireText:
      'Wird aus Formularen entfernt. Vorhandene Datensätze behalten den Wert; Sie können ihn wiederherstellen.',
    retireChildren: (count: number) =>
      `${counted(count, 'Wert in einer anderen Liste wird', 'Werte in anderen Listen werden')} nur zusammen mit ihm angeboten. Wählen Sie einen Ersatz, um ${count === 1 ? 'ihn' : 'sie'} stattdessen mit diesem anzubieten.`,
    noReplacement: 'Kein Ersatz',
    replacementHint: 'Anwendungen können ihn stattdessen anbieten',
    retireAction: 'Stilllegen',
    wasRetired: (label: string) => `${label} stillgelegt`,
    empty: 'Leer',
    status: 'Status',
    translation: (language: string) => `Übersetzung (${language})`,
    expired: (day: string) => `Abgelaufen am ${day}`,
  },
);
