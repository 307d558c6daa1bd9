// Text that people write and read: labels, titles, descriptions, codes, reasons. One rule for all of it.
import { z } from 'zod';
import { isVisible } from './visible-text.ts';

/** A missing field is reported as missing, not as having the wrong type. */
export const text = () => z.string({ error: ({ input }) => (input === undefined ? 'is required' : 'must be text') });

/**
 * Unicode Standard Annex 15, Stream-Safe Text Format: no language needs as many. To normalise a longer run takes a time
 * that grows with its square: minutes for 256 KiB.
 */
const longRunOfMarks = /\p{M}{31}/u;

/**
 * A line of text, kept in Unicode's normal form NFC: what looks the same is then equal, wherever it was typed. Counted in
 * characters of any script (code points), not in the runtime's units.
 */
export function lineOfText(mostCharacters: number, base = text()) {
  const normalised = base
    .refine((line) => !longRunOfMarks.test(line), {
      message: 'must have 30 combining marks in a row at most',
      abort: true,
    })
    .overwrite((line) => line.normalize('NFC'));
  return boundLine(normalised, mostCharacters);
}

/** The same as it came, for what is compared with names of other systems. */
export const exactLine = (mostCharacters: number) => boundLine(text(), mostCharacters);

function boundLine(line: z.ZodString, mostCharacters: number) {
  return line
    .refine((line) => isVisible(line) && line.trim() === line, 'must be visible text, without blanks around it')
    .refine((line) => !/\p{Cc}/u.test(line) && line.isWellFormed(), 'must have no control characters')
    .refine((line) => !/[\p{Zl}\p{Zp}]/u.test(line), 'must have no line separators')
    .refine((line) => !/\p{Noncharacter_Code_Point}/u.test(line), 'must have no noncharacters')
    .refine(isBidiPaired, 'must have direction controls (Unicode bidirectional) in pairs only')
    .refine((line) => hasAtMost(mostCharacters, line), `must be ${mostCharacters} characters at most`)
    .meta({ minLength: 1, maxLength: mostCharacters });
}

/** Those of two units are one each. */
const hasAtMost = (mostCharacters: number, line: string) =>
  line.length <= mostCharacters || Array.from(line).length <= mostCharacters;

/** Unicode Standard Annex 9: an unclosed direction control would also affect the text after it, in other applications' pages. */
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

const directionControl = /[\u202a-\u202e\u2066-\u2069]/;
