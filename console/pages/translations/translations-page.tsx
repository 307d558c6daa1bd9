// The translations of a list: a grid with a row for each value and a column for each language.

import { Languages } from 'lucide-react';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { parseBlock } from '../../lists/items/pasted-values.ts';
import { itemTexts } from '../../lists/items/texts.ts';
import { languageName } from '../../lists/languages/language-names.ts';
import { ListHeader } from '../../lists/list-header.tsx';
import { useList, useSummary } from '../../lists/queries.ts';
import { sharedListTexts, shownTitle } from '../../lists/texts.ts';
import { Button } from '../../parts/button.tsx';
import { browserLocale } from '../../parts/catalogue.ts';
import { EmptyState } from '../../parts/content.tsx';
import { Actions, Dialog } from '../../parts/dialog.tsx';
import { shared } from '../../parts/texts.ts';
import type { KeptList } from '../../shell/api.ts';
import { currentPage } from '../../shell/console-context.ts';
import { ErrorNote } from '../../shell/error-note.tsx';
import { LoadingOrError } from '../../shell/loading.tsx';
import { shellTexts } from '../../shell/texts.ts';
import { showDone, showInfo } from '../../shell/toasts.ts';
import { askToDiscard } from '../../shell/unsaved.tsx';
import { type CellPlace, cellKey, countsWith, savedCounts } from './drafts.ts';
import { TranslationGrid } from './grid/grid.tsx';
import { cellId } from './grid/use-editing.ts';
import { translationTexts } from './texts.ts';
import { Toolbar } from './toolbar.tsx';
import { cellFault, type DocumentSize, largestSaveBytes, sizeOfDocument } from './translation-document.ts';
import { type PastePlan, planPaste } from './translation-paste.ts';
import { useDrafts } from './use-drafts.ts';
import { useView } from './use-view.ts';

export function TranslationsPage({ list }: { list: string }) {
  const query = useList(list);
  const isReadOnly = useSummary(list)?.mayKeep === false;
  return (
    <>
      <ListHeader list={list} current="translations" windowTitle={translationTexts.windowTitle} />
      {query.data === undefined && <LoadingOrError query={query} />}
      {query.data !== undefined &&
        (query.data.items.length === 0 ? (
          <EmptyState icon={<Languages aria-hidden="true" />} title={sharedListTexts.noValues} />
        ) : (
          <Translations key={list} list={query.data} isReadOnly={isReadOnly} />
        ))}
    </>
  );
}

function Translations({ list, isReadOnly }: { list: KeptList; isReadOnly: boolean }) {
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

  /** Shows the cell, even if it is filtered out. */
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
    else
      showDone(translationTexts.pasted(count), { page: currentPage(), run: async () => void drafts.undoLastPaste() });
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
      {isReadOnly && <p className="note info">{sharedListTexts.readOnly}</p>}
      <Toolbar view={view} isReadOnly={isReadOnly} onAddLanguage={addLanguage} />
      <ErrorNote error={drafts.error} title={sharedListTexts.notSaved} onRetry={save} onClose={drafts.closeError} />
      {view.tags.length === 0 ? (
        <EmptyState
          icon={<Languages aria-hidden="true" />}
          title={translationTexts.noLanguages}
          text={translationTexts.noLanguagesText}
        />
      ) : view.rows.length === 0 ? (
        <EmptyState title={view.search === '' ? translationTexts.allTranslated : itemTexts.noValueFound}>
          <Button onPress={() => view.showAll()}>{sharedListTexts.showAllValues}</Button>
        </EmptyState>
      ) : (
        <TranslationGrid
          title={shownTitle(list)}
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

interface SaveBarProps {
  count: number;
  conflicts: readonly CellPlace[];
  faults: readonly CellPlace[];
  isSaving: boolean;
  onShow: (place: CellPlace) => void;
  onDiscard: () => void;
  onSave: () => void;
}

/** Shows how much is unsaved, with buttons to save or discard it. */
function SaveBar({ count, conflicts, faults, isSaving, onShow, onDiscard, onSave }: SaveBarProps) {
  const problems: [string, CellPlace | undefined][] = [
    [translationTexts.conflicts(conflicts.length), conflicts[0]],
    [translationTexts.faults(faults.length), faults[0]],
  ];
  return (
    <div className="save-bar">
      <div role="status" className="save-state">
        {count > 0 && <strong>{translationTexts.unsaved(count)}</strong>}
        {problems.map(
          ([text, place]) =>
            place !== undefined && (
              <span key={text} className="row">
                <span className="fault">{text}</span>
                <Button look="plain" onPress={() => onShow(place)}>
                  {translationTexts.show}
                </Button>
              </span>
            ),
        )}
      </div>
      {count > 0 && (
        <div className="row">
          <Button onPress={onDiscard} isDisabled={isSaving}>
            {shellTexts.discard}
          </Button>
          <Button look="primary" id="save-translations" onPress={onSave} isPending={isSaving}>
            {isSaving ? shared.saving : translationTexts.save}
          </Button>
        </div>
      )}
    </div>
  );
}

interface PasteDialogProps {
  plan: PastePlan;
  onPaste: () => void;
  onClose: () => void;
}

function PasteDialog({ plan, onPaste, onClose }: PasteDialogProps) {
  const { texts, outside, missingRows, missingLanguages } = plan;
  return (
    <Dialog title={translationTexts.outsideTitle} onClose={onClose} isAlert>
      <p>{translationTexts.outside(outside)}</p>
      {missingRows > 0 && <p>{translationTexts.missingRows(missingRows)}</p>}
      {missingLanguages > 0 && <p>{translationTexts.missingLanguages(missingLanguages)}</p>}
      <Actions>
        <Button onPress={onClose}>{shared.cancel}</Button>
        {texts.length > 0 && (
          <Button look="primary" onPress={onPaste}>
            {translationTexts.pasteFitting(texts.length)}
          </Button>
        )}
      </Actions>
    </Dialog>
  );
}

const sizes = new Intl.NumberFormat(browserLocale, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 });
const inWords = (bytes: number) => sizes.format(Math.ceil(bytes / 1024));

interface TooLargeDialogProps {
  bytes: number;
  fitting: number;
  onSave: () => void;
  onClose: () => void;
}

function TooLargeDialog({ bytes, fitting, onSave, onClose }: TooLargeDialogProps) {
  return (
    <Dialog title={translationTexts.tooLargeTitle} onClose={onClose} isAlert>
      <p>{translationTexts.tooLarge(inWords(bytes), inWords(largestSaveBytes))}</p>
      <Actions>
        <Button onPress={onClose}>{shared.cancel}</Button>
        <Button look="primary" onPress={onSave}>
          {translationTexts.saveFitting(fitting)}
        </Button>
      </Actions>
    </Dialog>
  );
}
