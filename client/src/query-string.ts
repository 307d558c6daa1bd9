/** A parameter for each entry; those of an object as `name:value`. What is undefined or empty is left out. */
export function writeQuery(asked: object): string {
  const query = new URLSearchParams();
  for (const [name, given] of Object.entries(asked)) {
    for (const each of [given ?? []].flat()) {
      if (typeof each !== 'object') query.append(name, each);
      else {
        for (const [key, values] of Object.entries(each)) {
          for (const value of [values || []].flat()) query.append(name, `${key}:${value}`);
        }
      }
    }
  }
  return query.size > 0 ? `?${query}` : '';
}
