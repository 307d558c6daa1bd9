// Reading a body: the right type, well-formed, and everything that is wrong with it at once.
import type { z } from '@hono/zod-openapi';
import { Problem } from './problem.ts';

export interface BodyFault {
  field: string;
  message: string;
}

export function invalidBody(errors: readonly object[]): Problem {
  const told = errors.map(({ path: _, ...error }: { path?: unknown }) => error);
  return new Problem('invalid-request', { extension: { errors: told } });
}

export async function readJson<S extends z.ZodType>(request: Request, schema: S): Promise<z.output<S>> {
  const text = await readText(request);
  // Where everything may be left out, so may the body.
  if (text !== '' && contentTypeOf(request) !== 'application/json') throw new Problem('unsupported-type');
  let body: unknown;
  try {
    body = JSON.parse(text === '' ? '{}' : text, refusePrototype);
  } catch {
    throw invalidBody([{ field: '', message: 'is not well-formed JSON' }]);
  }
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw invalidBody(faultsIn(parsed.error));
  return parsed.data;
}

async function readText(request: Request): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await request.arrayBuffer());
  } catch {
    throw invalidBody([{ field: '', message: 'is not UTF-8' }]);
  }
}

/** A key that means something else to JavaScript than to JSON, and would be dropped without a word. */
function refusePrototype(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new SyntaxError();
  return value;
}

export function contentTypeOf(request: Request): string {
  return (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

export function faultsIn(error: z.ZodError): (BodyFault & { path: PropertyKey[] })[] {
  const fault = (path: PropertyKey[], message: string) => ({ field: path.join('.'), message, path });
  return error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => fault([...issue.path, key], 'is not known here'));
    }
    // A key of a record that is wrong itself: why stands one level deeper.
    if (issue.code === 'invalid_key') return [fault(issue.path, issue.issues[0]?.message ?? issue.message)];
    return [fault(issue.path, issue.message)];
  });
}
