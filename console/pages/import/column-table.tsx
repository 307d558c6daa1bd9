import { type Field, fieldOfHeader, fieldTitle, type KnownNames, plainFields } from '../../lists/columns/headers.ts';
import { itemColumnTexts } from '../../lists/columns/texts.ts';
import { LanguagePicker } from '../../lists/languages/language-picker.tsx';
import { shownTitle } from '../../lists/texts.ts';
import { type Choice, SelectField, TextField } from '../../parts/fields.tsx';
import { formatDay } from '../../parts/format.tsx';
import type { KeptList, ListSummary } from '../../shell/api.ts';
import { type Cell, cellText, columnLetters, isBrokenCell, isDateCell, isEmptyCell } from './file/cells.ts';
import type { Choices } from './plan/choices.ts';
import type { Column } from './plan/columns.ts';
import { importTexts as texts } from './texts.ts';

const rowsShown = 3;
/** The ID of the option “Don’t import”. An ID in a select cannot be empty. */
const ignored = '-';
const [otherLanguage, otherCode] = ['label:', 'code:'];

interface ColumnTableProps {
  rows: readonly Cell[][];
  choices: Choices;
  hasListColumn: boolean;
  lists: readonly ListSummary[];
  kept: KeptList | undefined;
  known: KnownNames;
  onChange: (columns: Column[]) => void;
}

/** Shows one row for each column of the file, with its field and examples from the first rows. */
export function ColumnTable({ rows, choices, hasListColumn, lists, kept, known, onChange }: ColumnTableProps) {
  const { columns, headerRow } = choices;
  const fields = offeredFields(columns, lists, kept, known, hasListColumn);
  const firstRows = rows.slice(headerRow + 1).filter((row) => row.some((cell) => !isEmptyCell(cell)));
  const set = (index: number, field: Field) =>
    onChange(columns.map((each) => (each.index === index ? { ...each, field, isUncertain: false } : each)));
  return (
    <ul className="boxed import-columns" aria-label={texts.columnsTitle}>
      {columns.map((column) => {
        const header = column.header || texts.noHeader(columnLetters(column.index));
        return (
          <li key={column.index} className={column.isUncertain ? 'uncertain' : column.field === '' ? 'ignored' : ''}>
            <div className="import-column-name">
              <span className="quiet">{columnLetters(column.index)}</span> <bdi>{header}</bdi>
              {column.isUncertain && <span className="import-unknown">{texts.notRecognised}</span>}
            </div>
            <div className="import-column-field">
              <SelectField
                label={texts.columnAs(header)}
                choices={fields}
                value={column.field === '' ? ignored : shownChoice(column.field, fields)}
                onChange={(id) => set(column.index, id === ignored ? '' : id)}
              />
              {column.field === otherLanguage && (
                <LanguagePicker label={texts.language} onPick={(tag) => set(column.index, `label:${tag}`)} />
              )}
              {shownChoice(column.field, fields) === otherCode && (
                <TextField
                  label={texts.system}
                  hint={texts.systemHint}
                  dir="ltr"
                  value={column.field.slice(otherCode.length)}
                  onChange={(system) => set(column.index, otherCode + system.trim())}
                />
              )}
            </div>
            <div className="import-examples">
              {firstRows.slice(0, rowsShown).map((row, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the examples are never reordered
                <Example key={index} cell={row[column.index]} />
              ))}
            </div>
          </li>
        );
      })}
    </ul>
  );
}

function Example({ cell }: { cell: Cell | undefined }) {
  const text = isDateCell(cell) ? formatDay(cell.day) : isBrokenCell(cell) ? `⚠ ${cell.broken}` : cellText(cell);
  return <span dir="auto">{text || ' '}</span>;
}

/** The ID of the option to show as chosen. For a system that was typed, this is “Code in another system…”. */
function shownChoice(field: Field, fields: readonly Choice[]): string {
  if (fields.some(({ id }) => id === field)) return field;
  return field.startsWith(otherCode) ? otherCode : field;
}

function offeredFields(
  columns: readonly Column[],
  lists: readonly ListSummary[],
  kept: KeptList | undefined,
  known: KnownNames,
  hasListColumn: boolean,
): Choice[] {
  const keyed = new Set<Field>();
  for (const { labels, codes } of kept?.items ?? []) {
    for (const tag of Object.keys(labels)) keyed.add(`label:${tag}`);
    for (const system of Object.keys(codes)) keyed.add(`code:${system}`);
  }
  // Fields that were recognised in the headers are offered too, even if the list does not use them yet.
  for (const { field, header } of columns) {
    const said = fieldOfHeader(header, known);
    if (said?.includes(':')) keyed.add(said);
    if (field.startsWith('label:') && field !== otherLanguage) keyed.add(field);
  }
  const title = (field: Field): Choice => ({ id: field, name: fieldTitle(field) });
  const ofPrefix = (prefix: string) => [...keyed].filter((field) => field.startsWith(prefix)).sort();
  return [
    { id: ignored, name: texts.ignore },
    ...plainFields.filter((field) => hasListColumn || field !== 'list').map(title),
    ...ofPrefix('label:').map(title),
    { id: otherLanguage, name: texts.otherLanguage },
    ...ofPrefix('code:').map(title),
    { id: otherCode, name: texts.otherCode },
    ...lists
      .filter(({ list }) => list !== kept?.list)
      .map(
        (summary): Choice => ({
          id: `parent:${summary.list}`,
          name: itemColumnTexts.onlyWith(shownTitle(summary)),
        }),
      ),
  ];
}
