// An entry of a list's history as people read it.
import type { HistoryEntry, ListSettings } from '../../../src/lookup/lookup-admin.schema.ts';
import type { ChangeKind } from './texts.ts';
import { type ItemState, itemSentences } from './item-sentences.ts';
import { isSame } from '../same.ts';
import { fill, plain, type Sentence } from './sentence.ts';
import { type SentenceContext, sentenceContext } from './sentence-context.ts';
import { settingsSentences } from './settings-sentences.ts';

export type Change = HistoryEntry['changes'][number];

export interface Description {
  /** Of a large entry: how many values were added, retired and so on. */
  summary: string | null;
  first: Sentence[];
  /** Shown on request. */
  rest: Sentence[];
  /** How many changes the service has left out. */
  leftOut: number;
}

/** Up to so many are all shown; of more, so many as are named beside the summary. */
const most = { all: 6, named: 3 };

type Entry = Pick<HistoryEntry, 'version' | 'changes' | 'restoredVersion' | 'changesLeftOut'>;

export function describeEntry(entry: Entry, context: SentenceContext = sentenceContext()): Description {
  const { version, changes, restoredVersion, changesLeftOut: leftOut = 0 } = entry;
  const { texts } = context;
  const opening: Sentence[] = [];
  if (version === 1) opening.push(plain(texts.created));
  if (restoredVersion !== undefined) {
    opening.push(fill(texts.restoredVersion, { version: plain(String(restoredVersion)) }));
  }
  // The first settings of a list are no change of them.
  const told = version === 1 ? changes.filter(({ value }) => value !== null) : changes;
  const { sentences, counts } = tell(told, context);
  if (opening.length + sentences.length === 0 && leftOut === 0) opening.push(plain(texts.nothing));
  return shownOf(opening, sentences, counts, leftOut, context);
}

/** Changes that are no entry of the history, such as those that restoring a version would make. */
export function describeChanges(changes: readonly Change[], context: SentenceContext = sentenceContext()): Description {
  const { sentences, counts } = tell(changes, context);
  return shownOf([], sentences, counts, 0, context);
}

function shownOf(
  opening: Sentence[],
  sentences: Sentence[],
  counts: Map<ChangeKind, number>,
  leftOut: number,
  { texts }: SentenceContext,
): Description {
  if (sentences.length <= most.all && leftOut === 0) {
    return { summary: null, first: [...opening, ...sentences], rest: [], leftOut };
  }
  return {
    summary: counts.size === 0 ? null : texts.summary(kinds.flatMap((kind) => countOf(counts, kind))),
    first: [...opening, ...sentences.slice(0, most.named)],
    rest: sentences.slice(most.named),
    leftOut,
  };
}

const kinds: ChangeKind[] = ['added', 'retired', 'restored', 'renamed', 'translated', 'changed'];

function countOf(counts: Map<ChangeKind, number>, kind: ChangeKind): [ChangeKind, number][] {
  const count = counts.get(kind) ?? 0;
  return count === 0 ? [] : [[kind, count]];
}

/** One sentence says that the order changed, of however many values. */
function tell(changes: readonly Change[], context: SentenceContext) {
  const named = namesIn(changes);
  const labelOf = (value: string) => context.labelOf(value) ?? named.get(value);
  const sentences: Sentence[] = [];
  const counts = new Map<ChangeKind, number>();
  let isReordered = false;
  for (const change of changes) {
    if (change.value === null) {
      const [before, after] = [change.before ?? {}, change.after ?? {}] as Partial<ListSettings>[];
      sentences.push(...settingsSentences(before ?? {}, after ?? {}, context));
      continue;
    }
    const [before, after] = [change.before, change.after] as (ItemState | null)[];
    const ofItem = itemSentences(before ?? null, after ?? null, { ...context, labelOf });
    if (before && after && before.sortOrder !== after.sortOrder) isReordered = true;
    if (ofItem.length === 0) continue;
    sentences.push(...ofItem);
    const kind = kindOf(before ?? null, after ?? null);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  if (isReordered) sentences.unshift(plain(context.texts.order));
  return { sentences, counts };
}

/** What each changed value is called afterwards: a replacement may have been added by the same entry. */
function namesIn(changes: readonly Change[]): Map<string, string> {
  return new Map(
    changes.flatMap(({ value, before, after }): [string, string][] => {
      const state = (after ?? before) as ItemState | null;
      return value === null || state === null ? [] : [[value, state.label]];
    }),
  );
}

/** The one kind that a value is counted under. */
function kindOf(before: ItemState | null, after: ItemState | null): ChangeKind {
  if (before === null) return 'added';
  if (after === null) return 'retired';
  if (before.status !== after.status) return after.status === 'retired' ? 'retired' : 'restored';
  if (before.label !== after.label) return 'renamed';
  return isSame(before.labels, after.labels) ? 'changed' : 'translated';
}
