// What changed of a list itself, in sentences.
import type { ListSettings } from '../../../src/lookup/lookup-admin.schema.ts';
import { fill, label, labels, type Sentence } from './sentence.ts';
import { type SentenceContext, shorten } from './sentence-context.ts';

/** Both have only what changed. */
export function settingsSentences(
  before: Partial<ListSettings>,
  { title, description, readers, keepers, archived }: Partial<ListSettings>,
  { texts }: Pick<SentenceContext, 'texts'>,
): Sentence[] {
  const sentences: Sentence[] = [];
  const say = (template: string, holes: Record<string, Sentence> = {}) => sentences.push(fill(template, holes));
  if (title !== undefined) say(texts.title, { before: label(before.title ?? ''), after: label(title) });
  if (description === null) say(texts.listUndescribed);
  else if (description !== undefined) say(texts.listDescribed, { after: label(shorten(description)) });
  if (readers === null) say(texts.readersDefault);
  else if (readers !== undefined) say(texts.readers, { roles: labels(readers, texts.more) });
  if (keepers === null) say(texts.keepersDefault);
  else if (keepers !== undefined) say(texts.keepers, { roles: labels(keepers, texts.more) });
  if (archived !== undefined) say(archived ? texts.archived : texts.unarchived);
  return sentences;
}
