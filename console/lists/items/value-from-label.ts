// What applications store for a label, and the name of a list from its title: proposed to the person, who can change it.
import anyAscii from 'any-ascii';

const mostCharacters = 64;
/** Of a longer text, only the beginning: a value has 64 characters, and a label 200. */
const mostOfText = 400;

/** any-ascii writes u for ü, since it knows no language. */
const german: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'Ae', Ö: 'Oe', Ü: 'Ue', ß: 'ss', ẞ: 'SS' };

/** The addresses of the service that take the place of a list's name. */
const reservedNames: ReadonlySet<string> = new Set(['apply', 'plan']);
const nothing: ReadonlySet<string> = new Set();

/** `Œuvre Łódź` → `OEUVRE_LODZ`. Empty where the label has no letter or digit of any script. */
export function valueFromLabel(label: string, taken: ReadonlySet<string> = nothing): string {
  const words = asciiWords(label).map((word) => word.toUpperCase());
  return firstFree(joined(words, '_', 'V'), '_', (value) => taken.has(value));
}

/** `Cost centres 2027` → `cost-centres-2027`. */
export function nameFromTitle(title: string, taken: ReadonlySet<string> = nothing): string {
  const words = asciiWords(title).map((word) => word.toLowerCase());
  return firstFree(joined(words, '-', 'list'), '-', (name) => reservedNames.has(name) || taken.has(name));
}

function asciiWords(text: string): string[] {
  const beginning = text.slice(0, mostOfText).normalize('NFC');
  const ascii = anyAscii(beginning.replaceAll(/[äöüÄÖÜßẞ]/g, (letter) => german[letter] ?? letter));
  // An apostrophe is inside a word, and stands for the soft sign of Cyrillic.
  return ascii.replaceAll(/['`]/g, '').match(/[A-Za-z0-9]+/g) ?? [];
}

function joined(words: readonly string[], separator: string, beforeDigit: string): string {
  const begins = /^[0-9]/.test(words[0] ?? '') ? [beforeDigit, ...words] : words;
  return shortened(begins.join(separator), mostCharacters, separator);
}

function shortened(name: string, length: number, separator: string): string {
  const cut = name.slice(0, length);
  return cut.endsWith(separator) ? cut.slice(0, -1) : cut;
}

/**
 * With _2, _3 … where it is taken. The numbers are searched by halves: a file may have thousands of rows with one label.
 */
function firstFree(name: string, separator: string, isTaken: (name: string) => boolean): string {
  if (name === '' || !isTaken(name)) return name;
  const numbered = (number: number) => {
    const ending = `${separator}${number}`;
    return shortened(name, mostCharacters - ending.length, separator) + ending;
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
