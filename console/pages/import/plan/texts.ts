// Texts for the faults of an imported file.
import { catalogue, formatNumber } from '../../../parts/catalogue.ts';

export const importFaultTexts = catalogue(
  {
    labelOrValueMissing: 'Required column missing: choose the column with the labels',
    listMissing: 'Required column missing: choose the column with the names of the lists, or one list for all rows',
    givenTwice: (header: string) =>
      `The column “${header}” is imported as this field too. Choose only one of the two columns`,
    badKey: 'This name can’t be used. Use only letters, digits, “.”, “_” and “-”',
    brokenCell: (error: string) =>
      `The cell contains the error ${error}. Fix the formula or enter the content directly`,
    notComputed: 'The formula has no result yet. Open the file in your spreadsheet program, save it, and try again',
    notADate: (text: string) => `“${text}” is not a date. Write it like 31.12.2027 or 2027-12-31`,
    notYesOrNo: (text: string) => `“${text}” is neither yes nor no`,
    notANumber: (text: string) => `“${text}” is not a whole number`,
    tooLong: (length: number, most: number) =>
      `Too long: ${formatNumber(length)} characters, at most ${formatNumber(most)} are allowed`,
    tooMany: (count: number, most: number) =>
      `Too many entries: ${formatNumber(count)}, at most ${formatNumber(most)} are allowed`,
    notVisible: 'Must contain visible text and no control characters',
    badValue: (proposal: string) =>
      `Use capital letters, digits and underscores, at most 64 characters${proposal && `: for example ${proposal}`}`,
    badTag: (tag: string) => `“${tag}” can’t be a tag. Use at most 50 characters: letters, digits, “.”, “_” and “-”`,
    badList: (name: string) =>
      `There is no list “${name}”. The name of a new list must be lower-case words joined by hyphens`,
    labelRequired: 'A new value needs a label',
    noValueFromLabel: 'No value can be derived from this label. Enter one in a “Value” column',
    severalWithLabel: (values: string) =>
      `Several values have this label: ${values}. Enter the one you mean in a “Value” column`,
    sameValueAsRow: (row: number) => `The same value is in row ${formatNumber(row)}`,
    sameLabelAsRow: (row: number) =>
      `The same label is in row ${formatNumber(row)}. Give each row its own value in a “Value” column`,
    noReplacement: (text: string) => `“${text}” is neither a value nor a label in this list or file`,
    replacedButActive: 'Only a retired value can be replaced: enter “yes” in the “Retired” column',
  },
  {
    labelOrValueMissing: 'Pflichtspalte fehlt: Wählen Sie die Spalte mit den Bezeichnungen',
    listMissing: 'Pflichtspalte fehlt: Wählen Sie die Spalte mit den Namen der Listen oder eine Liste für alle Zeilen',
    givenTwice: (header) => `Die Spalte „${header}“ ist demselben Feld zugeordnet. Wählen Sie nur eine der beiden`,
    badKey: 'Dieser Name ist nicht möglich. Verwenden Sie nur Buchstaben, Ziffern, „.“, „_“ und „-“',
    brokenCell: (error) =>
      `Die Zelle enthält den Fehler ${error}. Korrigieren Sie die Formel oder geben Sie den Inhalt direkt ein`,
    notComputed:
      'Die Formel hat noch kein Ergebnis. Öffnen und speichern Sie die Datei in Ihrer Tabellenkalkulation und versuchen Sie es erneut',
    notADate: (text) => `„${text}“ ist kein Datum. Geben Sie es in der Form 31.12.2027 oder 2027-12-31 ein`,
    notYesOrNo: (text) => `„${text}“ ist weder Ja noch Nein`,
    notANumber: (text) => `„${text}“ ist keine ganze Zahl`,
    tooLong: (length, most) => `Zu lang: ${formatNumber(length)} Zeichen, höchstens ${formatNumber(most)} sind möglich`,
    tooMany: (count, most) => `Zu viele Einträge: ${formatNumber(count)}, höchstens ${formatNumber(most)} sind möglich`,
    notVisible: 'Muss sichtbaren Text enthalten, aber keine Steuerzeichen',
    badValue: (proposal) =>
      `Verwenden Sie Großbuchstaben, Ziffern und Unterstriche, höchstens 64 Zeichen${proposal && `: zum Beispiel ${proposal}`}`,
    badTag: (tag) =>
      `„${tag}“ kann kein Schlagwort sein. Verwenden Sie höchstens 50 Zeichen: Buchstaben, Ziffern, „.“, „_“ und „-“`,
    badList: (name) =>
      `Es gibt keine Liste „${name}“. Der Name einer neuen Liste muss aus kleingeschriebenen Wörtern bestehen, verbunden durch Bindestriche`,
    labelRequired: 'Ein neuer Wert braucht eine Bezeichnung',
    noValueFromLabel: 'Aus dieser Bezeichnung lässt sich kein Wert bilden. Geben Sie einen in einer Spalte „Wert“ an',
    severalWithLabel: (values) =>
      `Mehrere Werte haben diese Bezeichnung: ${values}. Geben Sie in einer Spalte „Wert“ an, welcher gemeint ist`,
    sameValueAsRow: (row) => `Derselbe Wert steht in Zeile ${formatNumber(row)}`,
    sameLabelAsRow: (row) =>
      `Dieselbe Bezeichnung steht in Zeile ${formatNumber(row)}. Geben Sie jeder Zeile einen eigenen Wert in einer Spalte „Wert“`,
    noReplacement: (text) => `„${text}“ ist weder ein Wert noch eine Bezeichnung in dieser Liste oder Datei`,
    replacedButActive:
      'Nur ein deaktivierter Wert kann ersetzt werden: Tragen Sie in der Spalte „Deaktiviert“ „ja“ ein',
  },
);
