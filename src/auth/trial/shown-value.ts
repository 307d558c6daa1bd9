// The value of a claim as a person can read it: what cannot be seen is written out, and what is very long is cut. Pure.

const longestText = 2000;
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** A text that differs from what it looks like is the reason of many refusals: it is put in quotes. */
export function shownValue(value: unknown): string {
  const plain = typeof value === 'string' ? value : shownJson(value);
  const cut = plain.length > longestText ? `${plain.slice(0, longestText)}…` : plain;
  const visible = typeof value === 'string' ? cut.replaceAll(invisible, written) : cut.replaceAll(invisible, kept);
  return typeof value === 'string' && (visible !== cut || value.trim() !== value) ? `"${visible}"` : visible;
}

function shownJson(value: unknown): string {
  const line = JSON.stringify(value) ?? 'undefined';
  return line.length <= longestLine ? line : JSON.stringify(value, null, 2);
}

const longestLine = 60;
const written = (character: string) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
/** Of JSON, the line breaks between its parts. */
const kept = (character: string) => (character === '\n' ? character : written(character));

const times = ['iat', 'exp', 'nbf', 'auth_time', 'updated_at'];

/** What a NumericDate says (RFC 7519 section 2), for the claims that are one. */
export function shownTime(name: string, value: unknown): string | undefined {
  if (!times.includes(name) || typeof value !== 'number' || Math.abs(value) > 8.64e12) return undefined;
  return `${new Date(value * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
