// The grid with everything around it: filters, languages, and what is not saved yet.
import { Languages } from 'lucide-react';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import type { KeptList } from '../../shell/api.ts';
import { languageName } from '../../lists/languages/language-names.ts';
import { showDone, showInfo } from '../../shell/toasts.ts';
import { cellFault, type DocumentSize, sizeOfDocument } from './translation-document.ts';
import { type CellPlace, cellKey, countsWith, savedCounts } from './translation-grid.ts';
import { type PastePlan, parseBlock, planPaste } from './translation-paste.ts';
import { askToDiscard } from '../../shell/unsaved.ts';
import { Button } from '../../parts/button.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorNote } from '../../shell/error-note.tsx';
import { shared } from '../../parts/texts.ts';
import { translationTexts } from './texts.ts';
import { PasteDialog, TooLargeDialog } from './dialogs.tsx';
import { Grid } from './grid.tsx';
import { SaveBar } from './save-bar.tsx';
import { Toolbar } from './toolbar.tsx';
import { useDrafts } from './use-drafts.ts';
import { cellId } from './use-editing.ts';
import { useView } from './use-view.ts';

export function Translations({ list, isReadOnly }: { list: KeptList; isReadOnly: boolean }) {
  const drafts = useDrafts(list);
  const view = useView(list);
  const [current, setCurrent] = useState<CellPlace>();
  const [paste, setPaste] = useState<PastePlan>();
  const [tooLarge, setTooLarge] = useState<DocumentSize>();
  const focus = useRef<string>(undefined);
  const saved = useMemo(() => savedCounts(list.items), [list.items]);
  const total = useMemo(() => list.items.filter(({ status }) => status === 'active').length, [list.items]);
  const typed = useDeferredValue(drafts.drafts);
  const counts = useMemo(() => countsWith(saved, typed, drafts.items), [saved, typed, drafts.items]);
  const faults = useMemo(
    () => [...typed.values()].filter((draft) => cellFault(draft.text) ?? drafts.refused.has(cellKey(draft))),
    [typed, drafts.refused],
  );

  /** Whatever is filtered out at the moment. */
  function show(place: CellPlace): void {
    view.showAll(drafts.items.get(place.value)?.status === 'retired' ? true : undefined);
    view.choose(place.tag);
    focus.current = cellId(place);
    setCurrent({ ...place });
  }

  function applyPaste({ texts }: PastePlan): void {
    setPaste(undefined);
    const count = drafts.paste(texts);
    if (count === 0) showInfo(translationTexts.nothingPasted);
    else showDone(translationTexts.pasted(count), async () => void drafts.undoLastPaste());
  }

  function onPaste(block: string, start: { row: number; column: number }): void {
    const plan = planPaste(parseBlock(block), view.rows, view.tags, start);
    if (plan.outside > 0) setPaste(plan);
    else applyPaste(plan);
  }

  function save(): void {
    const [wrong] = [...drafts.conflicts, ...faults];
    const size = sizeOfDocument(list.list, list.items, drafts.drafts);
    if (wrong !== undefined) show(wrong);
    else if (size.isTooLarge) setTooLarge(size);
    else void drafts.saveAll(drafts.drafts);
  }

  async function discard(): Promise<void> {
    if (await askToDiscard()) drafts.discard();
  }

  function addLanguage(tag: string): void {
    view.addLanguage(tag);
    const [first] = view.rows;
    if (first !== undefined) {
      focus.current = cellId({ value: first.value, tag });
      setCurrent({ value: first.value, tag });
    }
    showInfo(translationTexts.languageAdded(languageName(tag)));
  }

  return (
    <>
      {isReadOnly && <p className="note info">{translationTexts.readOnly}</p>}
      <Toolbar view={view} isReadOnly={isReadOnly} onAddLanguage={addLanguage} />
      <ErrorNote error={drafts.error} title={shared.notSaved} onRetry={save} onClose={drafts.closeError} />
      {view.tags.length === 0 ? (
        <EmptyState
          icon={<Languages aria-hidden="true" />}
          title={translationTexts.noLanguages}
          text={translationTexts.noLanguagesText}
        />
      ) : view.rows.length === 0 ? (
        <EmptyState title={view.search === '' ? translationTexts.allTranslated : translationTexts.nothingFound}>
          <Button onPress={() => view.showAll()}>{translationTexts.showAll}</Button>
        </EmptyState>
      ) : (
        <Grid
          title={list.title}
          drafts={drafts}
          view={view}
          counts={counts}
          total={total}
          isReadOnly={isReadOnly}
          current={current}
          onCurrent={setCurrent}
          focus={focus}
          onPaste={onPaste}
          onLeave={() => document.getElementById(drafts.drafts.size > 0 ? 'save-translations' : 'find-value')?.focus()}
        />
      )}
      <SaveBar
        count={drafts.drafts.size}
        conflicts={drafts.conflicts}
        faults={faults}
        isSaving={drafts.isSaving}
        onShow={show}
        onDiscard={() => void discard()}
        onSave={save}
      />
      {paste !== undefined && (
        <PasteDialog plan={paste} onPaste={() => applyPaste(paste)} onClose={() => setPaste(undefined)} />
      )}
      {tooLarge !== undefined && (
        <TooLargeDialog
          bytes={tooLarge.bytes}
          fitting={tooLarge.fitting.size}
          onSave={() => {
            setTooLarge(undefined);
            void drafts.saveAll(tooLarge.fitting);
          }}
          onClose={() => setTooLarge(undefined)}
        />
      )}
    </>
  );
}
