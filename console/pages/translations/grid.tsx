// The grid of values by language. Only the rows that are seen are drawn.
import { type ClipboardEvent, type KeyboardEvent, useCallback, useMemo, useRef, useState } from 'react';
import { useLocale } from 'react-aria-components/I18nProvider';
import type { KeptItem } from '../../data/api.ts';
import { moveFor } from '../../data/grid-moves.ts';
import { languageName } from '../../data/language-names.ts';
import { cellFault } from '../../data/translation-document.ts';
import { type CellPlace, cellKey, cellOf } from '../../data/translation-grid.ts';
import { Badge } from '../../parts/badge.tsx';
import { translationTexts } from '../../texts/translations.ts';
import { GridCell } from './cell.tsx';
import { GridHead } from './head.tsx';
import type { GridDrafts } from './use-drafts.ts';
import { useFocusWhenDrawn, useRowWindow } from './use-row-window.ts';
import type { GridView } from './use-view.ts';

interface Editing extends CellPlace {
  text: string;
  /** What the cell had before: Escape brings it back. */
  before: string;
  /** Arrows move within the text. */
  isInText: boolean;
}

interface GridProps {
  title: string;
  drafts: GridDrafts;
  view: GridView;
  counts: ReadonlyMap<string, number>;
  total: number;
  isReadOnly: boolean;
  current: CellPlace | undefined;
  onCurrent: (place: CellPlace) => void;
  /** The id of the field that is to have the focus. */
  focus: { current: string | undefined };
  onPaste: (block: string, start: { row: number; column: number }) => void;
  onLeave: () => void;
}

export const cellId = ({ value, tag }: CellPlace) => `cell-${value}-${tag}`;

export function Grid({ title, drafts, view, counts, total, isReadOnly, current, focus, ...on }: GridProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [editing, setEditing] = useState<Editing>();
  const { direction } = useLocale();
  const { rows, tags } = view;
  const faultOf = useCallback(
    (place: CellPlace, text: string) => {
      const fault = cellFault(text);
      if (fault === undefined) return drafts.refused.get(cellKey(place));
      return fault === 'too-long' ? translationTexts.tooLong : translationTexts.controlCharacter;
    },
    [drafts.refused],
  );
  const noted = useMemo(() => {
    const faulty = [...drafts.drafts.values()].filter((draft) => faultOf(draft, draft.text) !== undefined);
    return new Set([...faulty, ...drafts.conflicts].map(({ value }) => value));
  }, [drafts.drafts, drafts.conflicts, faultOf]);
  const { offsets, page, from, to } = useRowWindow(
    scroller,
    rows,
    useCallback((value: string) => noted.has(value), [noted]),
  );
  const indexOf = useMemo(() => new Map(rows.map(({ value }, index) => [value, index])), [rows]);
  useFocusWhenDrawn(focus);

  const currentRow = indexOf.get(current?.value ?? '') ?? 0;
  const currentTag = tags.find((tag) => tag === current?.tag) ?? tags[0];
  const drawn = Array.from({ length: to - from }, (_, index) => from + index);
  // The row with the focus stays, however far one scrolls.
  if (rows.length > 0 && (currentRow < from || currentRow >= to)) drawn.push(currentRow);

  function type(place: CellPlace, text: string, before: string): void {
    const isSame = editing !== undefined && cellKey(editing) === cellKey(place);
    setEditing(isSame ? { ...editing, text } : { ...place, text, before, isInText: false });
    drafts.type([{ ...place, text }]);
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>, place: CellPlace, row: number, text: string): void {
    if (event.nativeEvent.isComposing) return;
    const isEditing = editing !== undefined && cellKey(editing) === cellKey(place);
    if (event.key === 'F2' && !isReadOnly) {
      event.preventDefault();
      const input = event.currentTarget;
      setEditing({ ...place, text, before: isEditing ? editing.before : text, isInText: true });
      input.setSelectionRange(input.value.length, input.value.length);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      if (isEditing) {
        drafts.type([{ ...place, text: editing.before }]);
        // Selected again: the next key replaces it.
        focus.current = cellId(place);
      } else on.onLeave();
      setEditing(undefined);
    } else if (event.key === 'z' && (event.ctrlKey || event.metaKey) && !isEditing) {
      if (drafts.undoLastPaste()) event.preventDefault();
    } else {
      const mode = { isInText: isEditing && editing.isInText, isRightToLeft: direction === 'rtl' };
      const size = { rows: rows.length, columns: tags.length, page };
      const next = moveFor(event, { row, column: tags.indexOf(place.tag) }, size, mode);
      if (next === undefined) return;
      event.preventDefault();
      moveTo(next);
    }
  }

  function moveTo({ row, column }: { row: number; column: number }): void {
    const [value, tag] = [rows[row]?.value, tags[column]];
    if (value === undefined || tag === undefined) return;
    setEditing(undefined);
    focus.current = cellId({ value, tag });
    on.onCurrent({ value, tag });
  }

  function onPaste(event: ClipboardEvent<HTMLInputElement>, row: number, column: number): void {
    const text = event.clipboardData.getData('text/plain');
    // A text of one cell goes into the text that is there.
    if (isReadOnly || !/[\t\n\r]/.test(text.replace(/\r?\n$/, ''))) return;
    event.preventDefault();
    setEditing(undefined);
    on.onPaste(text, { row, column });
  }

  return (
    <>
      <p id="translation-help" className="hint translation-help">
        {translationTexts.howTo}
      </p>
      <div
        className={`translation-scroll ${view.isNarrow ? 'one-language' : ''}`}
        ref={scroller}
        style={{ '--languages': tags.length } as object}
      >
        {/* biome-ignore lint/a11y/useSemanticElements: rows of a table cannot be placed one by one */}
        <div
          role="grid"
          className="translation-grid"
          aria-label={translationTexts.grid(title)}
          aria-describedby="translation-help"
          aria-rowcount={rows.length + 1}
          aria-colcount={tags.length + 1}
          aria-readonly={isReadOnly}
        >
          <GridHead view={view} counts={counts} total={total} />
          {/* biome-ignore lint/a11y/useSemanticElements: as above */}
          <div role="rowgroup" className="translation-body" style={{ blockSize: offsets.at(-1) }}>
            {drawn.map((row) => {
              const item = rows[row];
              if (item === undefined) return null;
              return (
                // biome-ignore lint/a11y/useFocusableInteractive: its text fields have the focus
                // biome-ignore lint/a11y/useSemanticElements: as above
                <div
                  key={item.value}
                  role="row"
                  aria-rowindex={row + 2}
                  className="translation-row"
                  style={{ insetBlockStart: offsets[row], blockSize: (offsets[row + 1] ?? 0) - (offsets[row] ?? 0) }}
                >
                  <RowHead item={item} />
                  {tags.map((tag, column) => {
                    const place = { value: item.value, tag };
                    const cell = cellOf(item, tag, drafts.drafts);
                    const isEditing = editing?.value === item.value && editing.tag === tag;
                    return (
                      <GridCell
                        key={tag}
                        id={cellId(place)}
                        name={translationTexts.cell(languageName(tag), item.label)}
                        tag={tag}
                        column={column + 2}
                        cell={cell}
                        typed={isEditing ? editing.text : undefined}
                        fault={cell.isChanged ? faultOf(place, cell.text) : undefined}
                        isCurrent={row === currentRow && tag === currentTag}
                        isReadOnly={isReadOnly}
                        onFocus={() => on.onCurrent(place)}
                        onBlur={() => isEditing && setEditing(undefined)}
                        onText={(text) => type(place, text, cell.text)}
                        onKeyDown={(event) => onKeyDown(event, place, row, isEditing ? editing.text : cell.text)}
                        onEdit={() =>
                          isEditing
                            ? setEditing({ ...editing, isInText: true })
                            : setEditing({ ...place, text: cell.text, before: cell.text, isInText: true })
                        }
                        onPaste={(event) => onPaste(event, row, column)}
                        onKeepMine={() => drafts.keepMine(place)}
                        onTakeTheirs={() => drafts.takeTheirs(place)}
                      />
                    );
                  })}
                </div>
              );
            })}
          </div>
        </div>
      </div>
    </>
  );
}

function RowHead({ item }: { item: KeptItem }) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: nothing can be done with it
    // biome-ignore lint/a11y/useSemanticElements: as above
    <div role="rowheader" aria-colindex={1} className="translation-cell translation-label">
      <bdi title={item.label}>{item.label}</bdi>
      {item.status === 'retired' && <Badge>{translationTexts.retired}</Badge>}
    </div>
  );
}
