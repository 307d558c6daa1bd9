// Reads Accept-Language (RFC 9110 section 12.5.4).
import { parseWeightedList } from '../../http/weighted-list.ts';
import { chainOf, type Labelled, type LanguageChain, shownLanguage } from '../rules/label-language.ts';

const longestHeader = 1000;

/** Cuts a header that is too long, at a comma between two language ranges. */
export function boundHeader(header: string): string {
  if (header.length <= longestHeader) return header;
  return header.slice(0, Math.max(0, header.lastIndexOf(',', longestHeader)));
}

/** RFC 4647 section 2.1, a basic range in lower case. */
const basicRange = /^(\*|[a-z]{1,8}(-[a-z0-9]{1,8})*)$/;

/** The order in which the available tags are tried for a request with this header. */
export function chainFor(header: string, available: readonly string[]): LanguageChain {
  const ranges = parseWeightedList(boundHeader(header)).filter(({ name }) => basicRange.test(name));
  return chainOf(ranges, available);
}

/** Returns a function that picks the label of an item for a request with this header. */
export function labelsFor(header = ''): (item: Labelled) => string {
  const chains = new Map<string, LanguageChain>();
  return (item) => {
    const tags = Object.keys(item.labels);
    const key = tags.join();
    const chain = chains.get(key) ?? chainFor(header, tags);
    chains.set(key, chain);
    return item.labels[shownLanguage(item, chain)] ?? item.label;
  };
}
