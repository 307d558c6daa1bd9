// Language tags (RFC 5646) as the keys of labels: one rule for the service and the console.

const longestTag = 64;

/** The canonical form of a well-formed tag. */
export function canonicalTag(text: string): string | undefined {
  try {
    const [tag] = text.length <= longestTag ? Intl.getCanonicalLocales(text) : [];
    return tag;
  } catch {
    return undefined;
  }
}

/** Registered languages have two or three letters. `german` is well-formed, but nobody who asks for `de` would find it. */
export const namesLanguage = (tag: string) => /^[a-z]{2,3}(?:-|$)/.test(tag);
