// Removes case and accents, which people leave out when they type.

/** Combining marks that several scripts share, and Hebrew points, but not the marks that turn one kana into another. */
const accents = /[[\p{sc=Inherited}[\p{sc=Hebrew}&&\p{Mn}]]--[\u3099\u309a]]/gv;
/** Soft hyphen and word joiner. */
const invisible = /[\u00ad\u2060]/g;
/**
 * Letters that Unicode does not decompose, each with the letters that it is sorted as (Unicode Technical Standard 10).
 */
const plainLetters: Record<string, string> = { æ: 'ae', ð: 'd', đ: 'd', ħ: 'h', ł: 'l', œ: 'oe', ø: 'o', ς: 'σ' };
const specialLetters = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g');
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const ascii = /^[\x00-\x7f]*$/;

/**
 * Converts to upper case and back, which turns ß into ss and the Turkish dotless ı into i. Converts to lower case
 * first, because upper case would not change the capital ẞ.
 */
export function fold(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(accents, '')
    .replace(invisible, '')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replace(specialLetters, (letter) => plainLetters[letter] ?? letter)
    .normalize('NFC');
}
