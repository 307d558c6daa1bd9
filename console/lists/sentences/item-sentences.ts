// Describes a change of one value in sentences.
import type { KeptItem } from '../../shell/api.ts';
import {
  fill,
  isolated,
  label,
  labels,
  plain,
  type Sentence,
  type SentenceContext,
  shorten,
} from './sentence-context.ts';

export type ItemState = Omit<KeptItem, 'id'>;

/** Returns no sentence if only sortOrder changed: one sentence describes the new order of the whole list. */
export function itemSentences(
  before: ItemState | null,
  after: ItemState | null,
  { texts, ...context }: SentenceContext,
): Sentence[] {
  if (before === null) return after === null ? [] : [addedSentence(after, { texts, ...context })];
  if (after === null) return [fill(texts.removed, { label: label(before.label) })];
  const sentences: Sentence[] = [];
  const say = (template: string, holes: Record<string, Sentence> = {}) =>
    sentences.push(fill(template, { label: label(after.label), ...holes }));

  /** Adds the previous content, if there was any. */
  const sayWithBefore = (template: string, old: Sentence | null, holes: Record<string, Sentence> = {}) =>
    sentences.push([
      ...fill(template, { label: label(after.label), ...holes }),
      ...(old === null || old.length === 0 ? [] : fill(texts.was, { before: old })),
    ]);
  const replacementIn = ({ replacedBy }: ItemState) =>
    replacedBy === null ? null : label(context.labelOf(replacedBy) ?? replacedBy);

  if (before.label !== after.label) {
    say(texts.renamed, { before: label(before.label), after: label(after.label) });
  }

  const replacement = replacementIn(after);
  if (before.status !== after.status) {
    if (after.status === 'active') say(texts.restored);
    else if (replacement === null) say(texts.retired);
    else say(texts.retiredFor, { replacement });
  } else if (before.replacedBy !== after.replacedBy) {
    if (replacement === null) sayWithBefore(texts.replacementRemoved, replacementIn(before));
    else sayWithBefore(texts.replacement, replacementIn(before), { replacement });
  }

  for (const [tag, old, now] of differences(before.labels, after.labels)) {
    const language = plain(context.languageName(tag));
    if (now === undefined) sayWithBefore(texts.translationRemoved, label(old ?? ''), { language });
    else if (old === undefined) say(texts.translated, { language, after: label(now) });
    else say(texts.translationChanged, { language, before: label(old), after: label(now) });
  }

  if (before.validFrom !== after.validFrom || before.validTo !== after.validTo) {
    const old = fill(byDays(before, texts.days), dayHoles(before, context.formatDay));
    const template = byDays(after, [texts.anyDay, texts.from, texts.until, texts.fromUntil]);
    sayWithBefore(template, old, dayHoles(after, context.formatDay));
  }

  for (const [system, old, now] of differences(before.codes, after.codes)) {
    if (now === undefined) sayWithBefore(texts.codeRemoved, label(old ?? ''), { system: label(system) });
    else if (old === undefined) say(texts.codeSet, { system: label(system), after: label(now) });
    else say(texts.codeChanged, { system: label(system), before: label(old), after: label(now) });
  }

  const [removed, added] = [missing(before.tags, after.tags), missing(after.tags, before.tags)];
  if (added.length > 0) say(texts.tagged, { tags: labels(added, texts.more) });
  if (removed.length > 0) say(texts.untagged, { tags: labels(removed, texts.more) });

  if (before.description !== after.description) {
    const old = before.description === null ? null : label(shorten(before.description));
    if (after.description === null) sayWithBefore(texts.undescribed, old);
    else sayWithBefore(texts.described, old, { after: label(shorten(after.description)) });
  }

  for (const [list, earlier, values] of differences(before.parents, after.parents)) {
    const title = label(context.titleOf(list) ?? list);
    const old = earlier === undefined ? null : labels(earlier, texts.more);
    if (values === undefined) sayWithBefore(texts.unlimited, old, { list: title });
    else sayWithBefore(texts.limited, old, { list: title, values: labels(values, texts.more) });
  }
  return sentences;
}

function addedSentence(item: ItemState, { texts, formatDay }: SentenceContext): Sentence {
  const template =
    item.status === 'retired'
      ? texts.addedRetired
      : byDays(item, [texts.added, texts.addedFrom, texts.addedUntil, texts.addedFromUntil]);
  return fill(template, { label: label(item.label), ...dayHoles(item, formatDay) });
}

type Days = Pick<ItemState, 'validFrom' | 'validTo'>;

function byDays(
  { validFrom, validTo }: Days,
  [neither, from, until, both]: readonly [string, string, string, string],
): string {
  if (validFrom === null) return validTo === null ? neither : until;
  return validTo === null ? from : both;
}

const dayHoles = ({ validFrom, validTo }: Days, formatDay: SentenceContext['formatDay']) => ({
  from: validFrom === null ? [] : isolated(formatDay(validFrom)),
  to: validTo === null ? [] : isolated(formatDay(validTo)),
});

/** The keys whose values differ, with both values. */
export function differences<V>(
  before: Record<string, V>,
  after: Record<string, V>,
): [string, V | undefined, V | undefined][] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)].sort());
  return Array.from(keys, (key): [string, V | undefined, V | undefined] => [key, before[key], after[key]]).filter(
    ([, old, now]) => JSON.stringify(old) !== JSON.stringify(now),
  );
}

function missing(from: readonly string[], among: readonly string[]): string[] {
  const others = new Set(among);
  return from.filter((each) => !others.has(each));
}
