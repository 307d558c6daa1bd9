/** A parameter for each entry; entries of an object as `name:value`. Undefined or empty values are left out. */
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
