import { catalogue } from './catalogue.ts';

export const shared = catalogue(
  {
    product: 'Frontdesk',
    saving: 'Saving…',
    save: 'Save',
    cancel: 'Cancel',
    close: 'Close',
    details: 'Details',
    copied: 'Copied',
    clear: 'Clear',
    moreActions: 'More actions',
    openCalendar: 'Open calendar',
    remove: (what: string) => `Remove ${what}`,
  },
  {
    product: 'Frontdesk',
    saving: 'Wird gespeichert …',
    save: 'Speichern',
    cancel: 'Abbrechen',
    close: 'Schließen',
    details: 'Details',
    copied: 'Kopiert',
    clear: 'Leeren',
    moreActions: 'Weitere Aktionen',
    openCalendar: 'Kalender öffnen',
    remove: (what: string) => `${what} entfernen`,
  },
);
