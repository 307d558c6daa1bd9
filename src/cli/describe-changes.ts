// List changes as the terminal shows them.
import { z } from 'zod';
import { printable } from './printable.ts';

const isColoured = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
const paint = (code: number) => (words: string) => (isColoured ? `\u001b[${code}m${words}\u001b[0m` : words);
export const bold = paint(1);
const [red, green, yellow] = [paint(31), paint(32), paint(33)];

/** An item, or the settings of a list. It may have any fields; only these are typed. */
const State = z.looseObject({ status: z.string().optional(), replacedBy: z.string().nullable().optional() }).nullable();
const ShownChange = z.object({
  value: z.string().nullable(),
  before: State,
  after: State,
  /** The number of active items in other lists that have the retired item as a parent. */
  children: z.int().optional(),
});
type ShownChange = z.infer<typeof ShownChange>;

/** The parts of a plan that are shown. Its items may have any fields. */
export const ShownPlan = z.object({
  changes: z.array(ShownChange.extend({ list: z.string() })),
  /** The number of changes by list and kind, including those that a service leaves out. */
  counts: z.record(z.string(), z.record(z.string(), z.int())),
  changesLeftOut: z.int().optional(),
});
export type ShownPlan = z.infer<typeof ShownPlan>;

/** The parts of a list's version that are shown in its history. */
const ShownEntry = z.object({
  version: z.int(),
  at: z.iso.datetime(),
  by: z.string(),
  reason: z.string().nullable(),
  changes: z.array(ShownChange),
  restoredVersion: z.int().optional(),
});
export type ShownEntry = z.infer<typeof ShownEntry>;
/**
 * Maximum number of changes in one version: ten times the size of the largest list. Without a maximum, a service could
 * keep a command running forever.
 */
const maxChanges = 1_000_000;
export const ShownHistory = z.array(ShownEntry.extend({ changesLeftOut: z.int().max(maxChanges).optional() }));
export type ShownHistory = z.infer<typeof ShownHistory>;

export function describePlan({ changes, counts, changesLeftOut = 0 }: ShownPlan): string {
  const lists: string[] = [];
  for (const [list, ofList] of Map.groupBy(changes, ({ list }) => list)) {
    const retired = counts[list]?.retire ?? 0;
    // A mirror file can retire many items at once, so their number is shown on a separate line.
    const summary = retired < 2 ? '' : `  ${red(`${retired} items are retired`)}\n`;
    lists.push(`${bold(printable(list))}\n${describeChanges(ofList)}${summary}`);
  }
  if (changesLeftOut > 0) lists.push(describeCounts(counts, changesLeftOut));
  return lists.join('\n');
}

function describeCounts(counts: NonNullable<ShownPlan['counts']>, leftOut: number): string {
  const lines = Object.entries(counts).map(([list, kinds]) => {
    const ofKinds = Object.entries(kinds).map(([kind, count]) => `${printable(kind)} ${count}`);
    return `  ${printable(list)}: ${ofKinds.join(', ')}\n`;
  });
  return `${bold(`${leftOut} more changes are not shown. In all:`)}\n${lines.join('')}`;
}

export function describeChanges(changes: ShownChange[]): string {
  return changes.map(describeChange).join('');
}

const isRetirement = ({ before, after }: ShownChange) => before?.status === 'active' && after?.status === 'retired';

function describeChange(change: ShownChange): string {
  const { value, before, after } = change;
  const name = printable(value ?? (Object.keys(after ?? {}).join() === 'title' ? 'title' : 'settings'));
  if (before === null) {
    const details = Object.entries(after ?? {}).filter(([field, detail]) => !usual.has(field) && !isEmpty(detail));
    const lines = details.map(([field, detail]) => `      ${printable(field)}: ${show(detail)}\n`);
    return `  ${green(`+ ${name}`)}  ${show(after?.label ?? after?.title)}\n${lines.join('')}`;
  }
  const mark = isRetirement(change) ? red(`- ${name}`) : yellow(`~ ${name}`);
  const lines = Object.keys({ ...before, ...after })
    .filter((field) => before[field] !== after?.[field] && !Bun.deepEquals(before[field], after?.[field]))
    .map((field) => `      ${printable(field)}: ${show(before[field])} → ${show(after?.[field])}\n`);
  return `  ${mark}\n${lines.join('')}${describeChildren(change)}`;
}

function describeChildren({ children, after }: ShownChange): string {
  if (children === undefined) return '';
  const replacement = after?.replacedBy ?? null;
  const then = replacement === null ? 'no replacement' : `from now on offered when ${printable(replacement)} is chosen`;
  return `      ${red(`children: ${children} in other lists, ${then}`)}\n`;
}

/**
 * Fields that are not listed for an added item, because its first line shows them or because they say little about a
 * new item.
 */
const usual = new Set(['value', 'label', 'title', 'sortOrder', 'status', 'retiredAt']);
const isEmpty = (detail: unknown) => ['null', 'false', '{}', '[]'].includes(JSON.stringify(detail));

function show(value: unknown): string {
  return value === null || value === undefined ? 'none' : printable(JSON.stringify(value));
}
