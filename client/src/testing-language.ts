// Chooses labels by Accept-Language, as the service does.
interface Range {
  name: string;
  weight: number;
}

const basicRange = /^(\*|[a-z]{1,8}(-[a-z0-9]{1,8})*)$/;
const longestHeader = 1000;
const mostRanges = 20;

function rangesIn(header: string): Range[] {
  const end = header.length <= longestHeader ? header.length : Math.max(0, header.lastIndexOf(',', longestHeader));
  const ranges = header
    .slice(0, end)
    .split(',')
    .map((entry) => {
      const [name = '', ...parameters] = entry.split(';').map((text) => text.trim().toLowerCase());
      return { name, weight: Number(parameters.find((each) => each.startsWith('q='))?.slice(2) ?? 1) };
    });
  return ranges.filter(({ name, weight }) => basicRange.test(name) && weight >= 0 && weight <= 1);
}

const isWiderOrSame = (tag: string, wish: string) => wish === tag || wish.startsWith(`${tag}-`);

/** Parses a language tag, and adds its likely script and region. Undefined for other text. */
function parseTag(text: string): { tag: string; maximized: string; script: string } | undefined {
  try {
    const locale = new Intl.Locale(text);
    const maximized = locale.maximize();
    const script = [maximized.language, maximized.script].filter(Boolean).join('-');
    return { tag: locale.baseName, maximized: maximized.baseName, script };
  } catch {
    return undefined;
  }
}

/**
 * The available tags in order of preference, without refused ones. Ranges after English are ignored, because plain
 * labels are English.
 */
export function languagesToTry(header: string, available: readonly string[]): string[] {
  const ranges = rangesIn(header);
  const byLength = ranges.toSorted((a, b) => b.name.length - a.name.length);
  const isRefused = (tag: string) =>
    byLength.find(({ name }) => name === '*' || isWiderOrSame(name, tag.toLowerCase()))?.weight === 0;
  const tags = available.filter((tag) => !isRefused(tag)).map((tag) => ({ tag, ...parseTag(tag) }));
  const found = new Set<string>();
  const wanted = ranges.filter(({ name, weight }) => weight > 0 && name !== '*');
  for (const { name } of wanted.toSorted((a, b) => b.weight - a.weight).slice(0, mostRanges)) {
    const wish = parseTag(name);
    if (wish === undefined) continue;
    const isEnglish = wish.script === 'en-Latn';
    const usual = parseTag(wish.script)?.maximized;
    const distance = ({ tag, maximized }: (typeof tags)[number]) => {
      if (tag === wish.tag) return 0;
      if (maximized === wish.maximized) return 1;
      if (isWiderOrSame(tag, wish.tag)) return 2 + wish.tag.length - tag.length;
      return maximized === usual ? 1000 : 1001;
    };
    tags
      .filter(({ tag, script }) => script === wish.script && (!isEnglish || isWiderOrSame(tag, wish.tag)))
      .sort((a, b) => distance(a) - distance(b) || (a.tag < b.tag ? -1 : 1))
      .forEach(({ tag }) => void found.add(tag));
    if (isEnglish) break;
  }
  return [...found];
}
