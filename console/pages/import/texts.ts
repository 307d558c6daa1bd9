import { catalogue, counted, formatNumber } from '../../parts/catalogue.ts';

const kibibytes = (bytes: number) =>
  bytes < 1024 * 1024
    ? `${formatNumber(Math.ceil(bytes / 102.4) / 10)} KB`
    : `${formatNumber(Math.ceil(bytes / 104_857.6) / 10)} MB`;

export const importTexts = catalogue(
  {
    titleOf: (list: string) => `Import into ${list}`,
    steps: 'Steps',
    stepFile: 'File',
    stepColumns: 'Columns',
    stepCheck: 'Check and apply',
    drop: 'Drop a file here',
    or: 'or',
    choose: 'Choose file',
    kinds: (rows: number) =>
      `Excel (.xlsx), CSV, YAML or JSON. Up to ${formatNumber(rows)} rows. Nothing changes until you apply the changes.`,
    templateHint: 'New to this? Start with a template that has the right columns.',
    template: 'Download template',
    reading: (name: string) => `Reading ${name}…`,
    notRead: (name: string) => `${name} couldn’t be read`,
    fileTooLarge: (bytes: number, limit: number) =>
      `The file is ${kibibytes(bytes)}; the limit is ${kibibytes(limit)}. Split it into several files.`,
    unpackedTooLarge: (limit: number) =>
      `Unpacked, the workbook is larger than ${kibibytes(limit)}. Save only the sheet you need as a new file.`,
    tooManyRows: (count: number, limit: number) =>
      `The file has ${formatNumber(count)} rows; the limit is ${formatNumber(limit)}. Split it into several files.`,
    tooManyColumns: (count: number, limit: number) =>
      `The file has ${formatNumber(count)} columns; the limit is ${formatNumber(limit)}.`,
    tooManyCells: (count: number, limit: number) =>
      `The file has ${formatNumber(count)} cells; the limit is ${formatNumber(limit)}. Save only the sheet you need as a new file.`,
    tooSlow: (seconds: number) => `Reading took longer than ${seconds} seconds and was stopped. Try a smaller file.`,
    empty: 'The file is empty.',
    damaged:
      'The file is damaged or incomplete. Open it in your spreadsheet program, save it again, and try once more.',
    protected: 'The file is protected with a password. Save it without the password and try again.',
    oldExcel: 'This file is in the Excel 97–2003 format (.xls). Save it as an Excel workbook (.xlsx) and try again.',
    unknownType: 'Choose an Excel workbook (.xlsx) or a CSV, YAML or JSON file.',
    unreadable: 'The browser couldn’t read the file. Check that it still exists, and choose it again.',
    otherFile: 'Choose another file',
    fileName: (name: string, rows: number) => `${name} · ${counted(rows, 'row', 'rows')}`,
    columnsTitle: 'Check the columns',
    columnsText: 'This is how the columns of your file were recognised. Correct anything that’s wrong.',
    sheet: 'Sheet',
    forList: 'Import into',
    byColumn: 'The lists named in the column “List”',
    column: 'Column in the file',
    columnAs: (header: string) => `“${header}” is imported as`,
    noHeader: (letters: string) => `Column ${letters}`,
    notRecognised: 'Not recognised: please choose',
    ignore: 'Don’t import',
    chooseField: 'Please choose',
    otherLanguage: 'Label in another language…',
    otherCode: 'Code in another system…',
    language: 'Language of the column',
    system: 'Name of the system',
    systemHint: 'For example workday',
    dayOrder: (header: string) => `How are dates written in “${header}”?`,
    dayFirst: (example: string) => `Day first: ${example}`,
    monthFirst: (example: string) => `Month first: ${example}`,
    dayOrderHint: 'The dates can be read with the day first or with the month first.',
    emptyClears: 'Empty cells clear existing content',
    emptyClearsHint: 'Otherwise an empty cell changes nothing.',
    continue: 'Continue',
    checking: 'Checking…',
    back: 'Back',
    faultsTitle: (count: number) => `${counted(count, 'problem', 'problems')} in the file`,
    faultsText: 'Correct them here or in the file, or choose other columns. Nothing was changed.',
    faultsTextDocument: 'Correct the following in the file. Nothing was changed.',
    content: 'Content',
    contentOf: (header: string, row: number) => `${header}, row ${formatNumber(row)}`,
    allCorrected: 'No problems left',
    allCorrectedText: 'Continue to see what will change.',
    importOthers: (count: number) =>
      count === 1 ? 'Import the other row' : `Import the other ${formatNumber(count)} rows`,
    leftOut: (count: number) => `${counted(count, 'row is', 'rows are')} left out`,
    leftOutText: 'Download these rows with the reasons, correct them, and import the corrected file later.',
    leftOutFile: 'not-imported',
    downloadLeftOut: 'Download as CSV',
    faultsMore: (count: number) => `and ${formatNumber(count)} more`,
    row: 'Row',
    line: 'Line',
    problem: 'Problem',
    rowNumber: (row: number) => `Row ${formatNumber(row)}`,
    wholeFile: 'File',
    tooLargeTitle: 'Too many changes at once',
    tooLargeText: (rows: number, bytes: number, limit: number, fit: number) =>
      `The changes to ${counted(rows, 'row', 'rows')} take up ${kibibytes(bytes)}. At most ${kibibytes(limit)} can be applied at once, which is about ${counted(fit, 'row', 'rows')} like these. Split the file and import the parts one after the other. Nothing was changed.`,
    tooManyLists: (count: number, limit: number) =>
      `The file contains ${formatNumber(count)} lists; at most ${formatNumber(limit)} can be imported at once.`,
    planTitle: 'What will change',
    nothing: 'This file changes nothing',
    nothingText: 'The list already matches the file.',
    unchanged: (count: number) => `${counted(count, 'row', 'rows')} without changes`,
    firstShown: (shown: number, all: number) =>
      `The table shows the first ${formatNumber(shown)} changes. All ${formatNumber(all)} will be applied.`,
    filter: 'Show',
    all: 'All',
    what: 'Change',
    differences: 'Details',
    becomes: 'becomes',
    nothingThere: 'empty',
    showMore: (count: number) => `Show ${formatNumber(count)} more`,
    retireMissing: (count: number) =>
      `Also retire ${counted(count, 'value that is', 'values that are')} not in the file`,
    retireMissingFile: 'Also retire values that are not in the file',
    retireMissingHint: 'Forms will no longer offer them. Existing records keep them, and you can restore them.',
    apply: (count: number) => `Apply ${counted(count, 'change', 'changes')}`,
    applying: 'Applying…',
    done: (count: number) => `${counted(count, 'change', 'changes')} imported`,
    changedMeanwhile: 'This list changed while you were checking',
    changedMeanwhileText: 'The changes below now refer to the latest version. Check them again before you apply them.',
  },
  {
    titleOf: (list) => `In ${list} importieren`,
    steps: 'Schritte',
    stepFile: 'Datei',
    stepColumns: 'Spalten',
    stepCheck: 'Prüfen und übernehmen',
    drop: 'Datei hier ablegen',
    or: 'oder',
    choose: 'Datei auswählen',
    kinds: (rows) =>
      `Excel (.xlsx), CSV, YAML oder JSON. Bis zu ${formatNumber(rows)} Zeilen. Es ändert sich nichts, bis Sie die Änderungen übernehmen.`,
    templateHint: 'Zum ersten Mal hier? Beginnen Sie mit einer Vorlage, die die richtigen Spalten hat.',
    template: 'Vorlage herunterladen',
    reading: (name) => `${name} wird gelesen …`,
    notRead: (name) => `${name} konnte nicht gelesen werden`,
    fileTooLarge: (bytes, limit) =>
      `Die Datei hat ${kibibytes(bytes)}; höchstens ${kibibytes(limit)} sind möglich. Teilen Sie sie in mehrere Dateien auf.`,
    unpackedTooLarge: (limit) =>
      `Entpackt ist die Arbeitsmappe größer als ${kibibytes(limit)}. Speichern Sie nur das benötigte Blatt als neue Datei.`,
    tooManyRows: (count, limit) =>
      `Die Datei hat ${formatNumber(count)} Zeilen; höchstens ${formatNumber(limit)} sind möglich. Teilen Sie sie in mehrere Dateien auf.`,
    tooManyColumns: (count, limit) =>
      `Die Datei hat ${formatNumber(count)} Spalten; höchstens ${formatNumber(limit)} sind möglich.`,
    tooManyCells: (count, limit) =>
      `Die Datei hat ${formatNumber(count)} Zellen; höchstens ${formatNumber(limit)} sind möglich. Speichern Sie nur das benötigte Blatt als neue Datei.`,
    tooSlow: (seconds) =>
      `Das Lesen hat länger als ${seconds} Sekunden gedauert und wurde abgebrochen. Versuchen Sie es mit einer kleineren Datei.`,
    empty: 'Die Datei ist leer.',
    damaged:
      'Die Datei ist beschädigt oder unvollständig. Öffnen und speichern Sie sie in Ihrer Tabellenkalkulation und versuchen Sie es noch einmal.',
    protected:
      'Die Datei ist mit einem Kennwort geschützt. Speichern Sie sie ohne Kennwort und versuchen Sie es erneut.',
    oldExcel:
      'Diese Datei hat das Format von Excel 97–2003 (.xls). Speichern Sie sie als Excel-Arbeitsmappe (.xlsx) und versuchen Sie es erneut.',
    unknownType: 'Wählen Sie eine Excel-Arbeitsmappe (.xlsx) oder eine Datei im Format CSV, YAML oder JSON.',
    unreadable:
      'Der Browser konnte die Datei nicht lesen. Prüfen Sie, ob sie noch existiert, und wählen Sie sie erneut.',
    otherFile: 'Andere Datei auswählen',
    fileName: (name, rows) => `${name} · ${counted(rows, 'Zeile', 'Zeilen')}`,
    columnsTitle: 'Spalten prüfen',
    columnsText: 'So wurden die Spalten Ihrer Datei erkannt. Ändern Sie, was nicht stimmt.',
    sheet: 'Blatt',
    forList: 'Importieren in',
    byColumn: 'Die Listen aus der Spalte „Liste“',
    column: 'Spalte in der Datei',
    columnAs: (header) => `„${header}“ wird importiert als`,
    noHeader: (letters) => `Spalte ${letters}`,
    notRecognised: 'Nicht erkannt: bitte wählen',
    ignore: 'Nicht importieren',
    chooseField: 'Bitte wählen',
    otherLanguage: 'Bezeichnung in einer anderen Sprache …',
    otherCode: 'Code in einem anderen System …',
    language: 'Sprache der Spalte',
    system: 'Name des Systems',
    systemHint: 'Zum Beispiel workday',
    dayOrder: (header) => `Wie sind Datumsangaben in „${header}“ geschrieben?`,
    dayFirst: (example) => `Tag zuerst: ${example}`,
    monthFirst: (example) => `Monat zuerst: ${example}`,
    dayOrderHint: 'Die Datumsangaben lassen sich auf zwei Arten lesen.',
    emptyClears: 'Leere Zellen löschen vorhandene Inhalte',
    emptyClearsHint: 'Sonst ändert eine leere Zelle nichts.',
    continue: 'Weiter',
    checking: 'Wird geprüft …',
    back: 'Zurück',
    faultsTitle: (count) => `${counted(count, 'Problem', 'Probleme')} in der Datei`,
    faultsText: 'Beheben Sie sie hier oder in der Datei oder wählen Sie andere Spalten. Es wurde nichts geändert.',
    faultsTextDocument: 'Korrigieren Sie Folgendes in der Datei. Es wurde nichts geändert.',
    content: 'Inhalt',
    contentOf: (header, row) => `${header}, Zeile ${formatNumber(row)}`,
    allCorrected: 'Keine Probleme mehr',
    allCorrectedText: 'Mit „Weiter“ sehen Sie, was sich ändert.',
    importOthers: (count) =>
      count === 1 ? 'Die übrige Zeile importieren' : `Die übrigen ${formatNumber(count)} Zeilen importieren`,
    leftOut: (count) => `${counted(count, 'Zeile wird', 'Zeilen werden')} ausgelassen`,
    leftOutText:
      'Laden Sie diese Zeilen mit den Gründen herunter, korrigieren Sie sie und importieren Sie die korrigierte Datei später.',
    leftOutFile: 'nicht-importiert',
    downloadLeftOut: 'Als CSV herunterladen',
    faultsMore: (count) => `und ${formatNumber(count)} weitere`,
    row: 'Zeile',
    line: 'Zeile',
    problem: 'Problem',
    rowNumber: (row) => `Zeile ${formatNumber(row)}`,
    wholeFile: 'Datei',
    tooLargeTitle: 'Zu viele Änderungen auf einmal',
    tooLargeText: (rows, bytes, limit, fit) =>
      `${counted(rows, 'Zeile würde', 'Zeilen würden')} sich ändern; das sind ${kibibytes(bytes)}. Auf einmal lassen sich höchstens ${kibibytes(limit)} übernehmen, also etwa ${counted(fit, 'Zeile', 'Zeilen')} dieser Art. Teilen Sie die Datei auf und importieren Sie die Teile nacheinander. Es wurde nichts geändert.`,
    tooManyLists: (count, limit) =>
      `Die Datei enthält ${formatNumber(count)} Listen; höchstens ${formatNumber(limit)} lassen sich auf einmal importieren.`,
    planTitle: 'Was sich ändert',
    nothing: 'Diese Datei ändert nichts',
    nothingText: 'Die Liste stimmt bereits mit der Datei überein.',
    unchanged: (count) => `${counted(count, 'Zeile', 'Zeilen')} ohne Änderungen`,
    firstShown: (shown, all) =>
      `Die Tabelle zeigt die ersten ${formatNumber(shown)} Änderungen. Übernommen werden alle ${formatNumber(all)}.`,
    filter: 'Anzeigen',
    all: 'Alle',
    what: 'Änderung',
    differences: 'Details',
    becomes: 'wird zu',
    nothingThere: 'leer',
    showMore: (count) => `${formatNumber(count)} weitere anzeigen`,
    retireMissing: (count) =>
      `Auch ${counted(count, 'Wert deaktivieren, der', 'Werte deaktivieren, die')} nicht in der Datei ${count === 1 ? 'steht' : 'stehen'}`,
    retireMissingFile: 'Auch Werte deaktivieren, die nicht in der Datei stehen',
    retireMissingHint:
      'Formulare bieten sie nicht mehr an. In vorhandenen Datensätzen bleiben sie erhalten, und Sie können sie reaktivieren.',
    apply: (count) => `${counted(count, 'Änderung', 'Änderungen')} übernehmen`,
    applying: 'Wird übernommen …',
    done: (count) => `${counted(count, 'Änderung', 'Änderungen')} importiert`,
    changedMeanwhile: 'Diese Liste wurde geändert, während Sie geprüft haben',
    changedMeanwhileText:
      'Die Änderungen unten beziehen sich jetzt auf die neueste Version. Prüfen Sie sie noch einmal, bevor Sie sie übernehmen.',
  },
);

export const importFilters = catalogue(
  { add: 'Added', change: 'Changed', retire: 'Retired', restore: 'Restored', list: 'Lists' },
  {
    add: 'Hinzugefügt',
    change: 'Geändert',
    retire: 'Deaktiviert',
    restore: 'Reaktiviert',
    list: 'Listen',
  },
);

export const importKinds = catalogue(
  {
    add: 'Add',
    change: 'Change',
    retire: 'Retire',
    restore: 'Restore',
    list: 'New list',
    title: 'Title',
    settings: 'Settings',
  },
  {
    add: 'Hinzufügen',
    change: 'Ändern',
    retire: 'Deaktivieren',
    restore: 'Reaktivieren',
    list: 'Neue Liste',
    title: 'Titel',
    settings: 'Einstellungen',
  },
);

export const importSettings = catalogue(
  {
    title: 'Title',
    titles: 'Title',
    description: 'Description',
    descriptions: 'Description',
    readers: 'Who can read',
    keepers: 'Who can manage',
    archived: 'Archived',
  },
  {
    title: 'Titel',
    titles: 'Titel',
    description: 'Beschreibung',
    descriptions: 'Beschreibung',
    readers: 'Wer lesen darf',
    keepers: 'Wer verwalten darf',
    archived: 'Archiviert',
  },
);
