// The rules for every line of text that people write and read: labels, titles, descriptions, codes, reasons.

/**
 * A visible character. Excludes Unicode's ignorable characters, two more that are drawn blank, and combining marks, which
 * need a letter.
 */
const visible = /[^\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]/u;

/** Each returns true if a line obeys the rule. */
export const lineRules = {
  visible: (line: string) => visible.test(line) && line.trim() === line,
  control: (line: string) => !/\p{Cc}/u.test(line) && line.isWellFormed(),
  separator: (line: string) => !/[\p{Zl}\p{Zp}]/u.test(line),
  noncharacter: (line: string) => !/\p{Noncharacter_Code_Point}/u.test(line),
  direction: isBidiPaired,
} as const;

export type LineRule = keyof typeof lineRules;

/** The first rule that a line breaks. */
export function brokenRule(line: string): LineRule | undefined {
  return (Object.keys(lineRules) as LineRule[]).find((rule) => !lineRules[rule](line));
}

/**
 * Unicode Standard Annex 15, Stream-Safe Text Format: no language needs more than 30 combining marks in a row.
 * Normalising more takes quadratic time, which is minutes for 256 KiB.
 */
export const hasLongRunOfMarks = (line: string) => /\p{M}{31}/u.test(line);

/** Counts code points, not UTF-16 code units. */
export const hasAtMost = (maxCharacters: number, line: string) =>
  line.length <= maxCharacters || (line.length <= 2 * maxCharacters && Array.from(line).length <= maxCharacters);

const directionControl = /[\u202a-\u202e\u2066-\u2069]/;

/** Unicode Standard Annex 9: on the pages of other applications, an unclosed direction control would also affect later text. */
function isBidiPaired(line: string): boolean {
  if (!directionControl.test(line)) return true;
  const open: string[] = [];
  for (const sign of line) {
    if (/[\u202a\u202b\u202d\u202e]/.test(sign)) open.push('\u202c');
    else if (/[\u2066-\u2068]/.test(sign)) open.push('\u2069');
    else if (/[\u202c\u2069]/.test(sign) && open.pop() !== sign) return false;
  }
  return open.length === 0;
}
