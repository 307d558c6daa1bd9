// The value of a claim in readable form: invisible characters are written out, and long values are cut. Pure.

const longestText = 2000;
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * Text that is not what it looks like (with invisible characters, or spaces around it) causes many refusals, so it is quoted.
 */
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
/** Keeps the line breaks between the parts of JSON. */
const kept = (character: string) => (character === '\n' ? character : written(character));

const times = ['iat', 'exp', 'nbf', 'auth_time', 'updated_at'];

/** The time of a claim that is a NumericDate (RFC 7519 section 2). */
export function shownTime(name: string, value: unknown): string | undefined {
  if (!times.includes(name) || typeof value !== 'number' || Math.abs(value) > 8.64e12) return undefined;
  return `${new Date(value * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
