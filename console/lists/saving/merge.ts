import { isSame } from '../same.ts';

interface Merged<T> {
  value: T;
  /** `both`: changed to different values, a conflict. The same change on both sides counts as theirs. */
  changedBy: 'nobody' | 'mine' | 'theirs' | 'both';
}

/**
 * The three-way merge of one field, setting or cell. `base` is what it was when I began, `mine` is undefined if I did not
 * touch it. In a conflict mine stays.
 */
export function mergeField<T>(
  base: T,
  mine: T | undefined,
  theirs: T,
  isEqual: (one: T, other: T) => boolean = isSame,
): Merged<T> {
  const isTheirs = !isEqual(base, theirs);
  if (mine === undefined || isEqual(mine, theirs)) return { value: theirs, changedBy: isTheirs ? 'theirs' : 'nobody' };
  return { value: mine, changedBy: isTheirs ? 'both' : 'mine' };
}
