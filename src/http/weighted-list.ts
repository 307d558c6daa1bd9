// Header lists with weights, such as Accept: `gzip;q=0.5, br`. RFC 9110 section 12.4.2.

interface WeightedName {
  /** In lower case. */
  name: string;
  weight: number;
}

/** The names in the order they were sent. Entries with a weight outside 0 to `highest` are left out. */
export function parseWeightedList(header: string, highest = 1): WeightedName[] {
  return header
    .split(',')
    .map((entry) => {
      const [name = '', ...parameters] = entry.split(';').map((text) => text.trim().toLowerCase());
      const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
      return { name, weight: q === undefined ? 1 : Number(q) };
    })
    .filter(({ name, weight }) => name !== '' && weight >= 0 && weight <= highest);
}

/** The acceptable names, by descending weight and then in the order they were sent. */
export function namesByWeight(header: string, highest = 1): string[] {
  return parseWeightedList(header, highest)
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ name }) => name);
}
