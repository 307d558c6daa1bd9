// A 404 that names the missing list.
import { Problem } from '../../http/problem.ts';

/** The names in the path, as they were sent. */
interface PathNames {
  list?: string;
  value?: string;
  version?: string;
}

/** Long or invisible names are not repeated in an answer. */
const isPlain = (name: string) => /^[\x21-\x7e]{1,64}$/.test(name);

export function listNotFound({ list, value, version }: PathNames): Problem {
  const names = [list ?? '', value, version].filter((name) => name !== undefined);
  if (!names.every(isPlain)) return new Problem('not-found');
  if (value !== undefined) return withDetail(`There is no list "${list}" with the value "${value}".`);
  if (version !== undefined) return withDetail(`There is no list "${list}" with the version "${version}".`);
  return withDetail(`There is no list "${list}".`);
}

const withDetail = (detail: string) => new Problem('not-found', { detail });
