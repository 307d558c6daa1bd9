import { useMutation } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { formatNumber } from '../../parts/catalogue.ts';
import { Moment } from '../../parts/format.tsx';
import type { HistoryChange, HistoryEntry, KeptList } from '../../shell/api.ts';
import { useConsole } from '../../shell/console-context.ts';
import { ErrorNote } from '../../shell/error-note.tsx';
import { authorName } from '../actor.ts';
import { useLists } from '../queries.ts';
import { isUndoable } from '../saving/save-list.ts';
import { sharedListTexts, shownTitle } from '../texts.ts';
import { describeChanges, describeEntry, laterSentences } from './history-sentences.ts';
import { type Sentence, type SentenceContext, sentenceContext } from './sentence-context.ts';
import { historyTexts } from './texts.ts';

/** Labels keep their own text direction. */
function SentenceText({ sentence }: { sentence: Sentence }) {
  return sentence.map((part, index) => {
    if ('text' in part && part.isIsolated === undefined) return part.text;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have no other identity
      <bdi key={index} {...('label' in part && { className: 'written' })}>
        {'label' in part ? part.label : part.text}
      </bdi>
    );
  });
}

/** Maximum number of sentences shown: a version may change 50,000 values. */
const maxShown = 2000;

export function Sentences({ sentences }: { sentences: readonly Sentence[] }) {
  return (
    <ul className="sentences">
      {sentences.slice(0, maxShown).map((sentence, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two values may have the same sentence
        <li key={index} className={sentence[0] !== undefined && 'text' in sentence[0] ? 'capital' : ''}>
          <SentenceText sentence={sentence} />
        </li>
      ))}
      {sentences.length > maxShown && <li>{historyTexts.more(sentences.length - maxShown)}</li>}
    </ul>
  );
}

/** A context with the labels of this list and the titles of all lists. */
export function useSentenceContext(list: KeptList | undefined): SentenceContext {
  const { data: lists } = useLists();
  return useMemo(() => {
    const labels = new Map(list?.items.map(({ value, label }) => [value, label]));
    const titles = new Map(lists?.map((summary) => [summary.list, shownTitle(summary)]));
    return sentenceContext({ labelOf: (value) => labels.get(value), titleOf: (name) => titles.get(name) });
  }, [list, lists]);
}

/** The service's maximum number of changes per answer. */
const changesInAnswer = 1000;

interface EntryChangesProps {
  list: string;
  entry: HistoryEntry;
  context: SentenceContext;
}

/** The sentences of an entry: the first ones, and the rest on request. */
export function EntryChanges({ list, entry, context }: EntryChangesProps) {
  const { api } = useConsole();
  const [isOpen, setOpen] = useState(false);
  const [more, setMore] = useState<HistoryChange[]>([]);
  const { summary, first, rest, leftOut } = useMemo(() => {
    const changesLeftOut = Math.max(0, (entry.changesLeftOut ?? 0) - more.length);
    return describeEntry({ ...entry, changes: [...entry.changes, ...more], changesLeftOut }, context);
  }, [entry, more, context]);

  const load = useMutation({
    mutationFn: () =>
      api.history(list, { before: entry.version + 1, limit: 1, changesFrom: entry.changes.length + more.length }),
    onSuccess: ([next]) => setMore((known) => [...known, ...(next?.changes ?? [])]),
  });

  const named = <span className="unseen"> {sharedListTexts.showAllOf(entry.version)}</span>;
  return (
    <>
      {summary !== null && (
        <p className="summary">
          {summary}
          {leftOut > 0 && `, ${historyTexts.more(leftOut)}`}
        </p>
      )}
      <Sentences sentences={isOpen ? [...first, ...rest] : first} />
      <ErrorNote error={load.error} onRetry={() => load.mutate()} />
      {rest.length > 0 && (
        <Button look="plain" onPress={() => setOpen(!isOpen)} aria-expanded={isOpen}>
          {isOpen ? sharedListTexts.showLess : sharedListTexts.showAll(rest.length)}
          {named}
        </Button>
      )}
      {leftOut > 0 && (isOpen || rest.length === 0) && (
        <Button look="plain" isPending={load.isPending} onPress={() => load.mutate()}>
          {sharedListTexts.loadMore(formatNumber(Math.min(leftOut, changesInAnswer)), formatNumber(leftOut))}
          {named}
        </Button>
      )}
    </>
  );
}

type Undo = (entry: HistoryEntry) => Promise<void>;

export const canUndo = (entry: HistoryEntry) => entry.laterChange === undefined && isUndoable(entry);

export function UndoButton({ entry, undo }: { entry: HistoryEntry; undo: Undo }) {
  const [isPending, setPending] = useState(false);
  const pressed = useRef<Element>(null);
  // Once the change is undone, the button disappears, so the focus moves to the first entry, which describes the undo.
  useLayoutEffect(
    () => () => {
      const button = pressed.current;
      if (button === null || button !== document.activeElement) return;
      const entries = button.closest('ol');
      queueMicrotask(() => entries?.querySelector('li')?.focus());
    },
    [],
  );
  return (
    <Button
      look="plain"
      icon={<Undo2 aria-hidden="true" size={16} className="flips" />}
      isPending={isPending}
      onPress={({ target }) => {
        pressed.current = target;
        setPending(true);
        void undo(entry).finally(() => setPending(false));
      }}
    >
      {sharedListTexts.undoThis} <span className="unseen">{sharedListTexts.undoThisOf(entry.version)}</span>
    </Button>
  );
}

/** Says which later change prevents undoing an entry. */
export function LaterChangeNote({ entry, context }: { entry: HistoryEntry; context: SentenceContext }) {
  const { me } = useConsole();
  const { laterChange: later } = entry;
  if (later === undefined || !isUndoable(entry)) return null;
  return (
    <p className="quiet later-change">
      {sharedListTexts.cannotUndo} {sharedListTexts.standsInTheWay(later.by === me.sub ? undefined : authorName(later))}{' '}
      {laterSentences(later, context).map((sentence, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the sentences of a change never change
        <span key={index}>
          {index > 0 && ', '}
          <SentenceText sentence={sentence} />
        </span>
      ))}{' '}
      · <Moment at={later.at} /> · {sharedListTexts.versionName(later.version)}
    </p>
  );
}

interface ValueHistoryProps {
  entries: readonly HistoryEntry[];
  list: KeptList;
  /** Absent if the user may not change the list. */
  undo?: Undo | undefined;
}

/** The changes to one value with author and time, newest first. */
export function ValueHistory({ entries, list, undo }: ValueHistoryProps) {
  const context = sentenceContext({ labelOf: (value) => list.items.find((item) => item.value === value)?.label });
  return (
    <ol className="value-history">
      {entries.map((entry) => {
        // Describes only the changes, without sentences about the list such as “created the list”.
        const { first, rest } = describeChanges(entry.changes, context);
        return (
          <li key={entry.version} tabIndex={-1}>
            {[...first, ...rest].map((sentence, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the sentences of an entry never change
              <p key={index}>
                <SentenceText sentence={sentence} />
              </p>
            ))}
            <p className="quiet">
              <bdi>{authorName(entry)}</bdi> · <Moment at={entry.at} />
              {entry.reason !== null && (
                <>
                  {' · '}
                  <bdi>{entry.reason}</bdi>
                </>
              )}
            </p>
            {undo !== undefined && canUndo(entry) && <UndoButton entry={entry} undo={undo} />}
          </li>
        );
      })}
    </ol>
  );
}
