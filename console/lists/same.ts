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
