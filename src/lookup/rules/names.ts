// Patterns for values, list names and other names that programs use.

/** Must be anchored to match a whole value. */
export const valuePattern = '[A-Z][A-Z0-9]*(_[A-Z0-9]+)*';
/** Must be anchored to match a whole list name. */
export const listNamePattern = '[a-z][a-z0-9]*(-[a-z0-9]+)*';
/** For tags and the systems of codes. A name begins with a letter or digit, which excludes `__proto__`. */
export const machineNamePattern = '[A-Za-z0-9][A-Za-z0-9._-]*';
/** Maximum number of characters. */
export const longestName = { value: 64, list: 64, machine: 50 } as const;

const matcher = (pattern: string, longest: number) => {
  const whole = new RegExp(`^${pattern}$`);
  return (text: string) => text.length <= longest && whole.test(text);
};
export const isValue = matcher(valuePattern, longestName.value);
export const isListName = matcher(listNamePattern, longestName.list);
export const isMachineName = matcher(machineNamePattern, longestName.machine);
