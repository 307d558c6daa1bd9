// Proposes a value from a label, and a list's name from its title.
import anyAscii from 'any-ascii';

const maxCharacters = 64;
/** Longer text is cut off. A label has at most 200 characters, and a value at most 64. */
const maxTextLength = 400;

/** Replaced first, since any-ascii ignores the language and turns ü into u. */
const german: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'Ae', Ö: 'Oe', Ü: 'Ue', ß: 'ss', ẞ: 'SS' };

/** Names that would clash with paths of the service. */
const reservedNames: ReadonlySet<string> = new Set(['apply', 'plan']);
const nothing: ReadonlySet<string> = new Set();

/** `Œuvre Łódź` → `OEUVRE_LODZ`. Empty if the label has no letter or digit of any script. */
export function valueFromLabel(label: string, taken: ReadonlySet<string> = nothing): string {
  const words = asciiWords(label).map((word) => word.toUpperCase());
  return firstFree(joined(words, '_', 'V'), '_', (value) => taken.has(value));
}

/** `Cost centres 2027` → `cost-centres-2027`. */
export function nameFromTitle(title: string, taken: ReadonlySet<string> = nothing): string {
  const words = asciiWords(title).map((word) => word.toLowerCase());
  return firstFree(joined(words, '-', 'list'), '-', (name) => reservedNames.has(name) || taken.has(name));
}

/**
 * Converts typed text to capitals and underscores. Returns null if nothing is left; the value is then proposed from the
 * label again.
 */
export function typedValue(text: string): string | null {
  const value = text
    .toUpperCase()
    .replaceAll(/[\s-]+/g, '_')
    .replaceAll(/[^A-Z0-9_]/g, '');
  return value === '' ? null : value;
}

function asciiWords(text: string): string[] {
  const beginning = text.slice(0, maxTextLength).normalize('NFC');
  const ascii = anyAscii(beginning.replaceAll(/[äöüÄÖÜßẞ]/g, (letter) => german[letter] ?? letter));
  // An apostrophe does not separate words. any-ascii also writes an apostrophe for the Cyrillic soft sign.
  return ascii.replaceAll(/['`]/g, '').match(/[A-Za-z0-9]+/g) ?? [];
}

function joined(words: readonly string[], separator: string, beforeDigit: string): string {
  const begins = /^[0-9]/.test(words[0] ?? '') ? [beforeDigit, ...words] : words;
  return shortened(begins.join(separator), maxCharacters, separator);
}

function shortened(name: string, length: number, separator: string): string {
  const cut = name.slice(0, length);
  return cut.endsWith(separator) ? cut.slice(0, -1) : cut;
}

/** Adds _2, _3 … if the name is taken. Uses binary search, since a file may have thousands of rows with the same label. */
function firstFree(name: string, separator: string, isTaken: (name: string) => boolean): string {
  if (name === '' || !isTaken(name)) return name;
  const numbered = (number: number) => {
    const ending = `${separator}${number}`;
    return shortened(name, maxCharacters - ending.length, separator) + ending;
  };
  let [used, free] = [1, 2];
  while (isTaken(numbered(free))) [used, free] = [free, free * 2];
  while (free - used > 1) {
    const between = Math.floor((used + free) / 2);
    if (isTaken(numbered(between))) used = between;
    else free = between;
  }
  return numbered(free);
}
