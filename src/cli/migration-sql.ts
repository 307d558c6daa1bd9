// Writes an SQL expression that maps stored values to final values. Pure.

import type { KeptList } from '../lookup/rules/list.ts';
import { createFinalValues } from '../lookup/rules/replacements.ts';
import type { ShownEntry } from './describe-changes.ts';

type State = ShownEntry['changes'][number]['before'];
type FindItem = (value: string) => State | undefined;

/** Returns what is wrong with a column. A valid one needs no escaping, and every database reads it as a name. */
export function columnFault(column: string): string | undefined {
  if (column.length > 400 || !columnName.test(column)) {
    return 'must be a column like position or e.position, or a name quoted as your database requires';
  }
  return constants.test(column)
    ? 'is not a column in some databases: prefix it with its table, or quote it'
    : undefined;
}

const name = '([A-Za-z_][A-Za-z0-9_]{0,127}|"[^"\\p{C}]{1,128}"|`[^`\\p{C}]{1,128}`|\\[[^[\\]\\p{C}]{1,128}\\])';
const columnName = new RegExp(`^${name}(\\.${name}){0,2}$`, 'u');
/** Some databases read these names as constants without an error, so every row would get the same value. */
const constants = /^(null|true|false|user|uid|level|rownum|sysdate|localtime\w*|(current|session|system)_\w+)$/i;

/**
 * Maps each value whose final value has changed since a version. `steps` are the later versions, newest first. Without
 * `since`, maps each replaced value. The comments come first, so that the text can be used as an expression.
 */
export function writeMigration(
  { list, version, items }: KeptList,
  since: { version: number; steps: readonly ShownEntry[] } | undefined,
  column: string,
): string {
  const now = new Map(items.map((item) => [item.value, item]));
  const findNow: FindItem = (value) => now.get(value);
  const findThen = since === undefined ? () => null : itemsBefore(since.steps, findNow);
  const finalNow = createFinalValues((value) => findNow(value)?.replacedBy ?? null);
  const finalThen = createFinalValues((value) => findThen(value)?.replacedBy ?? null);

  const values = [...now.keys()].sort();
  const mapped = values.filter((value) => ![value, finalThen(value)].includes(finalNow(value)));
  const targets = new Set(mapped.map(finalNow));
  const ended = values.filter((value) => isEnded(findNow(value)) && (!isEnded(findThen(value)) || targets.has(value)));
  const scope = since === undefined ? `to version ${version}` : `from version ${since.version} to ${version}`;
  return [
    `-- ${list}, ${scope}: ${mapped.length === 0 ? 'nothing to map.' : 'stored values to final values.'}`,
    ...ended.map((value) => `-- ${value} is retired, and nothing replaces it.`),
    ...(mapped.length === 0
      ? [column]
      : [
          `CASE ${column}`,
          ...mapped.map((value) => `  WHEN '${value}' THEN '${finalNow(value)}'`),
          `  ELSE ${column}`,
          'END',
        ]),
    '',
  ].join('\n');
}

const isEnded = (item: State | undefined) => item?.status === 'retired' && item.replacedBy === null;

function itemsBefore(steps: readonly ShownEntry[], findNow: FindItem): FindItem {
  const before = new Map<string, State>();
  for (const change of steps.flatMap(({ changes }) => changes)) {
    if (change.value !== null) before.set(change.value, change.before);
  }
  return (value) => (before.has(value) ? before.get(value) : findNow(value));
}
