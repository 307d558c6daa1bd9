// Reading a body: the right type, well-formed, and everything that is wrong with it at once.
import type { z } from '@hono/zod-openapi';
import { Problem } from './problem.ts';

export interface BodyFault {
  field: string;
  message: string;
}

export function invalidBody(errors: readonly object[]): Problem {
  return new Problem('invalid-request', { extension: { errors } });
}

export async function readJson<S extends z.ZodType>(request: Request, schema: S): Promise<z.output<S>> {
  if (contentTypeOf(request) !== 'application/json') throw new Problem('unsupported-type');
  let body: unknown;
  try {
    body = JSON.parse(await request.text());
  } catch {
    throw invalidBody([{ field: '', message: 'is not well-formed JSON' }]);
  }
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw invalidBody(faultsIn(parsed.error));
  return parsed.data;
}

export function contentTypeOf(request: Request): string {
  return (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

export function faultsIn(error: z.ZodError): BodyFault[] {
  return error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ field: [...issue.path, key].join('.'), message: 'is not known here' }))
      : [{ field: issue.path.join('.'), message: issue.message }],
  );
}
