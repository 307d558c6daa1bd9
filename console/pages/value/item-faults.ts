// What is wrong with a field of a value, before it is sent.
import { catalogue, formatNumber } from '../../parts/catalogue.ts';

export const itemFaults = catalogue(
  {
    required: 'Required',
    tooLong: (most: number) => `${formatNumber(most)} characters at most`,
    unseen: 'Must have a visible character',
    control: 'Contains a control character or a line break. Remove it.',
    value: 'Capital letters and digits, joined by underscores, beginning with a letter',
    taken: 'Already exists (may be retired)',
    system: 'Letters, digits, “.”, “_” and “-”, beginning with a letter or digit',
    twice: (what: string) => `${what} is given twice. Remove one of them.`,
    tag: (tag: string) => `“${tag}” is not a tag: use letters, digits, “.”, “_” and “-”`,
    tooMany: (most: number) => `${formatNumber(most)} at most`,
    dates: 'Must not be before the start date',
    parents: 'Choose a value, or remove the list',
  },
  {
    required: 'Erforderlich',
    tooLong: (most: number) => `Höchstens ${formatNumber(most)} Zeichen`,
    unseen: 'Muss ein sichtbares Zeichen enthalten',
    control: 'Enthält ein Steuerzeichen oder einen Zeilenumbruch. Bitte entfernen Sie es.',
    value: 'Großbuchstaben und Ziffern, verbunden durch Unterstriche, mit einem Buchstaben am Anfang',
    taken: 'Gibt es bereits (möglicherweise stillgelegt)',
    system: 'Buchstaben, Ziffern, „.“, „_“ und „-“, mit einem Buchstaben oder einer Ziffer am Anfang',
    twice: (what: string) => `${what} ist doppelt angegeben. Bitte entfernen Sie eine Angabe.`,
    tag: (tag: string) => `„${tag}“ ist kein Tag: Erlaubt sind Buchstaben, Ziffern, „.“, „_“ und „-“`,
    tooMany: (most: number) => `Höchstens ${formatNumber(most)}`,
    dates: 'Darf nicht vor dem Beginn liegen',
    parents: 'Wählen Sie einen Wert oder entfernen Sie die Liste',
  },
);
