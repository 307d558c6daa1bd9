// Text without what people leave out when they type: case and accents. Pure: the console has it too.

/** Unicode's combining marks of several scripts, and the points of Hebrew; not the marks that make another kana. */
const accents = /[[\p{sc=Inherited}[\p{sc=Hebrew}&&\p{Mn}]]--[\u3099\u309a]]/gv;
/** Drawn as nothing: soft hyphen, word joiner. */
const invisible = /[\u00ad\u2060]/g;
/** Letters that Unicode does not decompose, but sorts as these (Unicode Technical Standard 10). */
const plainLetters: Record<string, string> = { æ: 'ae', ð: 'd', đ: 'd', ħ: 'h', ł: 'l', œ: 'oe', ø: 'o', ς: 'σ' };
const specialLetters = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g');
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const ascii = /^[\x00-\x7f]*$/;

/** By way of upper case: ß becomes SS, and the dotless ı of Turkish I. The capital ẞ has to become ß before. */
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
