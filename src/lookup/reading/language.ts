// Reads Accept-Language (RFC 9110 section 12.5.4).
import { parseWeightedList } from '../../http/weighted-list.ts';
import { chainOf, type Labelled, type LanguageChain, shownLanguage } from '../rules/label-language.ts';

const longestHeader = 1000;

/** The part of the header that is read: whole ranges only. */
export function boundHeader(header: string): string {
  if (header.length <= longestHeader) return header;
  return header.slice(0, Math.max(0, header.lastIndexOf(',', longestHeader)));
}

/** RFC 4647 section 2.1, a basic range in lower case. */
const basicRange = /^(\*|[a-z]{1,8}(-[a-z0-9]{1,8})*)$/;

/** The order in which these tags are tried for somebody who sends this header. */
export function chainFor(header: string, available: readonly string[]): LanguageChain {
  const ranges = parseWeightedList(boundHeader(header)).filter(({ name }) => basicRange.test(name));
  return chainOf(ranges, available);
}

/** The label of each item for somebody who sends this header. */
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
