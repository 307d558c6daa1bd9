// Parses a value by its schema, and reports all faults at once.
import type { z } from 'zod';
import { plainTexts } from './fault-text.ts';
import { Problem } from './problem.ts';
import type { ProblemCode } from './problem-table.ts';

/** Maximum number of faults in one answer, which bounds its size. */
const maxFaultsReported = 100;

/** A problem that lists the faults of the body, the headers or the query, by field. */
export function invalidRequest(errors: readonly object[], code: ProblemCode = 'invalid-request'): Problem {
  const reported = errors.slice(0, maxFaultsReported).map(({ path: _, ...error }: { path?: unknown }) => error);
  return new Problem(code, { extension: { errors: reported } });
}

/** Returns the problem to throw for a value that does not match its schema. */
export type Refuse = (faults: z.ZodError) => Problem;

export function parse<S extends z.ZodType>(
  schema: S,
  value: unknown,
  refuse: Refuse = (faults) => invalidRequest(faultsIn(faults)),
): z.output<S> {
  const parsed = schema.safeParse(value, plainTexts);
  if (!parsed.success) throw refuse(parsed.error);
  return parsed.data;
}

/** The parameters of a query or a form: a string if given once, an array of strings if repeated. */
export function parametersOf(text: string): Record<string, string | string[] | undefined> {
  const given = Map.groupBy(new URLSearchParams(text), ([name]) => name);
  return Object.fromEntries(
    [...given].map(([name, pairs]) => {
      const values = pairs.map(([, value]) => value);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}

export function faultsIn(error: z.ZodError): { field: string; message: string; path: PropertyKey[] }[] {
  const fault = (path: PropertyKey[], message: string) => ({ field: path.join('.'), message, path });
  return error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => fault([...issue.path, key], 'is not a known field'));
    }
    // For an invalid key of a record, the message is one level deeper.
    if (issue.code === 'invalid_key') return [fault(issue.path, issue.issues[0]?.message ?? issue.message)];
    return [fault(issue.path, issue.message)];
  });
}
