// Describes an entry of a list's history in sentences.
import type { HistoryEntry, LaterChange, ListSettings } from '../../shell/api.ts';
import { translateSentence } from '../../shell/service/service-sentences.ts';
import { authorName } from '../actor.ts';
import type { FieldName } from '../items/item-fields.ts';
import { isSame } from '../saving/merge.ts';
import { sharedListTexts } from '../texts.ts';
import { differences, type ItemState, itemSentences } from './item-sentences.ts';
import {
  fill,
  label,
  labels,
  plain,
  type Sentence,
  type SentenceContext,
  sentenceContext,
  shorten,
} from './sentence-context.ts';
import type { ChangeKind } from './texts.ts';

export type Change = HistoryEntry['changes'][number];

export interface Description {
  /** For a large entry: how many values were added, retired and so on. */
  summary: string | null;
  first: Sentence[];
  /** Shown on request. */
  rest: Sentence[];
  /** Number of changes that the service left out of its answer. */
  leftOut: number;
}

/** If there are more than `all` changes, only the first `named` changes and a summary are shown. */
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
  // The settings of a new list are not described as a change.
  const shown = version === 1 ? changes.filter(({ value }) => value !== null) : changes;
  const { sentences, counts } = describeEach(shown, context);
  if (opening.length + sentences.length === 0 && leftOut === 0) opening.push(plain(texts.nothing));
  return shownOf(opening, sentences, counts, leftOut, context);
}

/** Describes changes without a history entry, such as the changes that restoring a version would make. */
export function describeChanges(changes: readonly Change[], context: SentenceContext = sentenceContext()): Description {
  const { sentences, counts } = describeEach(changes, context);
  return shownOf([], sentences, counts, 0, context);
}

/** Says who made the later change that prevents undoing an earlier one, when they made it, and what it changed. */
export function describeLater(later: LaterChange, mine: string, context: SentenceContext = sentenceContext()): string {
  const what = laterSentences(later, context).map(textOf).join(', ');
  const who = later.by === mine ? undefined : authorName(later);
  return sharedListTexts.changedSinceBy(who, what, context.formatMoment(later.at), later.version);
}

/** Says why the service refuses the earlier content of a value that an undo would restore. */
export function describeRefusal(
  faults: readonly { field: string; message: string }[],
  nameOf: (field: FieldName) => string,
): string {
  const reasons = faults.map(({ field, message }) => {
    const sentence = translateSentence(message);
    const name = nameOf(field.replace(/^lists\.[^.]+\.(items\.\d+\.)?/, '') as FieldName);
    return `${name}: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
  });
  return sharedListTexts.notRestorable(reasons.join('; '));
}

/** Returns no sentence if the change affected only parents that the user may not see. */
export const laterSentences = ({ change }: LaterChange, context: SentenceContext): Sentence[] => {
  const { first, rest } = describeChanges([change], context);
  return [...first, ...rest];
};

const textOf = (sentence: Sentence) => sentence.map((part) => ('text' in part ? part.text : part.label)).join('');

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

/** Describes each change. A new order is described in one sentence, however many values moved. */
function describeEach(changes: readonly Change[], context: SentenceContext) {
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
    const itemIcon = itemSentences(before ?? null, after ?? null, { ...context, labelOf });
    if (before && after && before.sortOrder !== after.sortOrder) isReordered = true;
    if (itemIcon.length === 0) continue;
    sentences.push(...itemIcon);
    const kind = kindOf(before ?? null, after ?? null);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  if (isReordered) sentences.unshift(plain(context.texts.order));
  return { sentences, counts };
}

/**
 * The labels of the values in these changes. The context may not know the label of a value that was added in the same
 * entry, for example as a replacement for another value.
 */
function namesIn(changes: readonly Change[]): Map<string, string> {
  return new Map(
    changes.flatMap(({ value, before, after }): [string, string][] => {
      const state = (after ?? before) as ItemState | null;
      return value === null || state === null ? [] : [[value, state.label]];
    }),
  );
}

/** The kind under which the summary counts the value. */
function kindOf(before: ItemState | null, after: ItemState | null): ChangeKind {
  if (before === null) return 'added';
  if (after === null) return 'retired';
  if (before.status !== after.status) return after.status === 'retired' ? 'retired' : 'restored';
  if (before.label !== after.label) return 'renamed';
  return isSame(before.labels, after.labels) ? 'changed' : 'translated';
}

/** Both arguments contain only the settings that changed. */
function settingsSentences(
  before: Partial<ListSettings>,
  { title, titles, description, descriptions, readers, keepers, archived }: Partial<ListSettings>,
  { texts, languageName }: Pick<SentenceContext, 'texts' | 'languageName'>,
): Sentence[] {
  const sentences: Sentence[] = [];
  const say = (template: string, holes: Record<string, Sentence> = {}) => sentences.push(fill(template, holes));
  /** Adds the previous content, if there was any. */
  const sayWithBefore = (template: string, old: Sentence | null, holes: Record<string, Sentence> = {}) =>
    sentences.push([...fill(template, holes), ...(old === null ? [] : fill(texts.was, { before: old }))]);
  const rolesIn = (roles: readonly string[] | null | undefined) => (roles ? labels(roles, texts.more) : null);
  const oldDescription = before.description ? label(shorten(before.description)) : null;
  if (title !== undefined) say(texts.title, { before: label(before.title ?? ''), after: label(title) });
  for (const [tag, old, now] of differences(before.titles ?? {}, titles ?? before.titles ?? {})) {
    const language = plain(languageName(tag));
    if (now === undefined) sayWithBefore(texts.titleUntranslated, old === undefined ? null : label(old), { language });
    else if (old === undefined) say(texts.titleTranslated, { language, after: label(now) });
    else say(texts.titleTranslationChanged, { language, before: label(old), after: label(now) });
  }
  if (description === null) sayWithBefore(texts.listUndescribed, oldDescription);
  else if (description !== undefined) {
    sayWithBefore(texts.listDescribed, oldDescription, { after: label(shorten(description)) });
  }
  for (const [tag, old, now] of differences(before.descriptions ?? {}, descriptions ?? before.descriptions ?? {})) {
    const language = plain(languageName(tag));
    const oldText = old === undefined ? null : label(shorten(old));
    if (now === undefined) sayWithBefore(texts.listUndescribedIn, oldText, { language });
    else sayWithBefore(texts.listDescribedIn, oldText, { language, after: label(shorten(now)) });
  }
  if (readers === null) sayWithBefore(texts.readersDefault, rolesIn(before.readers));
  else if (readers !== undefined) {
    sayWithBefore(texts.readers, rolesIn(before.readers), { roles: labels(readers, texts.more) });
  }
  if (keepers === null) sayWithBefore(texts.keepersDefault, rolesIn(before.keepers));
  else if (keepers !== undefined) {
    sayWithBefore(texts.keepers, rolesIn(before.keepers), { roles: labels(keepers, texts.more) });
  }
  if (archived !== undefined) say(archived ? texts.archived : texts.unarchived);
  return sentences;
}
