// The grid with a row for each value and a column for each language. Only rows in view are rendered.

import { X } from 'lucide-react';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { itemColumnTexts } from '../../../lists/columns/texts.ts';
import { languageName } from '../../../lists/languages/language-names.ts';
import { Button } from '../../../parts/button.tsx';
import { ColumnHeader, Grid, Row, RowGroup } from '../../../parts/grid.tsx';
import type { KeptItem } from '../../../shell/api.ts';
import { type CellPlace, cellKey } from '../drafts.ts';
import { translationTexts } from '../texts.ts';
import { cellFault } from '../translation-document.ts';
import type { GridDrafts } from '../use-drafts.ts';
import type { GridView } from '../use-view.ts';
import type { GridPlace } from './grid-moves.ts';
import { GridRow } from './row.tsx';
import { rowOffsets, rowsInView } from './rows-in-view.ts';
import { useEditing } from './use-editing.ts';

interface GridProps {
  title: string;
  drafts: GridDrafts;
  view: GridView;
  counts: ReadonlyMap<string, number>;
  total: number;
  isReadOnly: boolean;
  current: CellPlace | undefined;
  onCurrent: (place: CellPlace) => void;
  /** The id of the field to focus. */
  focus: { current: string | undefined };
  onPaste: (block: string, start: GridPlace) => void;
  onLeave: () => void;
}

export function TranslationGrid({ title, drafts, view, counts, total, isReadOnly, current, focus, ...on }: GridProps) {
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
  useFocusWhenRendered(focus);

  const currentRow = rowOf.get(current?.value ?? '') ?? 0;
  const currentTag = tags.find((tag) => tag === current?.tag) ?? tags[0];
  const rendered = Array.from({ length: to - from }, (_, index) => from + index);
  // The focused row stays rendered, however far the user scrolls.
  if (rows.length > 0 && (currentRow < from || currentRow >= to)) rendered.push(currentRow);

  const { editing, actions } = useEditing({ view, drafts, page, rowOf, isReadOnly, focus, ...on });

  return (
    <>
      <p id="translation-help" className="hint translation-help">
        {isReadOnly ? translationTexts.howToRead : translationTexts.howTo}
      </p>
      <div
        className={`boxed translation-scroll ${view.isNarrow ? 'one-language' : ''}`}
        ref={scroller}
        style={{ '--languages': tags.length } as object}
      >
        <Grid
          className="translation-grid"
          aria-label={translationTexts.windowTitle(title)}
          aria-describedby="translation-help"
          aria-rowcount={rows.length + 1}
          aria-colcount={tags.length + 1}
          aria-readonly={isReadOnly}
        >
          <GridHead view={view} counts={counts} total={total} />
          <RowGroup className="translation-body" style={{ blockSize: offsets.at(-1) }}>
            {rendered.map((row) => {
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
          </RowGroup>
        </Grid>
      </div>
    </>
  );
}

interface GridHeadProps {
  view: GridView;
  counts: ReadonlyMap<string, number>;
  /** Number of active values. */
  total: number;
}

/** The column headers: each language, with the number of its translations. */
function GridHead({ view, counts, total }: GridHeadProps) {
  return (
    <RowGroup className="translation-head">
      <Row aria-rowindex={1} className="translation-row">
        <ColumnHeader aria-colindex={1} className="translation-cell translation-label">
          {itemColumnTexts.label}
        </ColumnHeader>
        {view.tags.map((tag, index) => {
          const name = languageName(tag);
          const count = counts.get(tag) ?? 0;
          const isEmpty = count === 0 && !view.saved.includes(tag);
          return (
            <ColumnHeader key={tag} aria-colindex={index + 2} aria-label={name} className="translation-cell">
              <span className="translation-language">
                <bdi>{name}</bdi>
                <span className="quiet">{translationTexts.translated(count, total)}</span>
                {isEmpty && (
                  <Button
                    look="icon"
                    aria-label={translationTexts.removeLanguage(name)}
                    onPress={() => view.removeLanguage(tag)}
                  >
                    <X aria-hidden="true" size={14} />
                  </Button>
                )}
              </span>
              <progress max={Math.max(1, total)} value={count} aria-label={translationTexts.progress(name)} />
            </ColumnHeader>
          );
        })}
      </Row>
    </RowGroup>
  );
}

/** Heights in rem, as in translations.css. */
const rowHeight = 2.375;
const noteHeight = 3;

/** Which rows are rendered: those in view and a few around them. */
function useRowWindow(
  scroller: RefObject<HTMLDivElement | null>,
  rows: readonly KeptItem[],
  hasNote: (value: string) => boolean,
) {
  const [view, setView] = useState({ top: 0, height: 800, rem: 16 });
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const measure = () => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      setView({ top: element.scrollTop, height: element.clientHeight, rem });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, [scroller]);
  const { top, height, rem } = view;
  const offsets = useMemo(
    () => rowOffsets(rows, ({ value }) => (hasNote(value) ? rowHeight + noteHeight : rowHeight) * rem),
    [rows, hasNote, rem],
  );
  return {
    offsets,
    page: Math.max(1, Math.floor(height / (rowHeight * rem)) - 2),
    ...rowsInView(offsets, top, height),
  };
}

/** Focuses a field once it is rendered. */
function useFocusWhenRendered(wanted: RefObject<string | undefined>): void {
  useLayoutEffect(() => {
    if (wanted.current === undefined) return;
    const input = document.getElementById(wanted.current);
    if (!(input instanceof HTMLInputElement)) return;
    wanted.current = undefined;
    input.focus({ preventScroll: true });
    input.select();
    input.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });
}
