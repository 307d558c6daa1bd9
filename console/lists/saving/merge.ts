interface Merged<T> {
  value: T;
  /** `both` if both sides changed it differently, which is a conflict. The same change by both sides counts as theirs. */
  changedBy: 'nobody' | 'mine' | 'theirs' | 'both';
}

/**
 * The three-way merge of one field, setting or cell. `base` is its content when I began to edit; `mine` is undefined if
 * I did not change it. In a conflict, `value` is mine.
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

/** Compares two JSON values; the order of keys does not matter. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  const right: Record<string, unknown> = { ...other };
  return (
    keys.length === others.length &&
    Object.entries(one).every(([key, value]) => Object.hasOwn(other, key) && isSame(value, right[key]))
  );
}
