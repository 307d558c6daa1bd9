// The grid of values by language. Only the rows that are seen are drawn.
import { useCallback, useMemo, useRef } from 'react';
import type { GridPlace } from './grid-moves.ts';
import { cellFault } from './translation-document.ts';
import { type CellPlace, cellKey } from './translation-grid.ts';
import { translationTexts } from './texts.ts';
import { GridHead } from './head.tsx';
import { GridRow } from './row.tsx';
import type { GridDrafts } from './use-drafts.ts';
import { useEditing } from './use-editing.ts';
import { useFocusWhenDrawn, useRowWindow } from './use-row-window.ts';
import type { GridView } from './use-view.ts';

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
  onPaste: (block: string, start: GridPlace) => void;
  onLeave: () => void;
}

export function Grid({ title, drafts, view, counts, total, isReadOnly, current, focus, ...on }: GridProps) {
  const scroller = useRef<HTMLDivElement>(null);
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
  const rowOf = useMemo(() => new Map(rows.map(({ value }, index) => [value, index])), [rows]);
  useFocusWhenDrawn(focus);

  const currentRow = rowOf.get(current?.value ?? '') ?? 0;
  const currentTag = tags.find((tag) => tag === current?.tag) ?? tags[0];
  const drawn = Array.from({ length: to - from }, (_, index) => from + index);
  // The row with the focus stays, however far one scrolls.
  if (rows.length > 0 && (currentRow < from || currentRow >= to)) drawn.push(currentRow);

  const { editing, actions } = useEditing({ view, drafts, page, rowOf, isReadOnly, focus, ...on });

  return (
    <>
      <p id="translation-help" className="hint translation-help">
        {isReadOnly ? translationTexts.howToRead : translationTexts.howTo}
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
              const top = offsets[row] ?? 0;
              return (
                <GridRow
                  key={item.value}
                  item={item}
                  row={row}
                  top={top}
                  height={(offsets[row + 1] ?? top) - top}
                  tags={tags}
                  drafts={drafts.drafts}
                  editing={editing?.value === item.value ? editing : undefined}
                  currentTag={row === currentRow ? currentTag : undefined}
                  isReadOnly={isReadOnly}
                  faultOf={faultOf}
                  actions={actions}
                />
              );
            })}
          </div>
        </div>
      </div>
    </>
  );
}
