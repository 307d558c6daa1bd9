// Reading a body: size, content type, syntax and schema are checked; all faults are reported at once.
import { setImmediate } from 'node:timers/promises';
import { z } from '@hono/zod-openapi';
import { plainTexts } from './fault-text.ts';
import { Problem } from './problem.ts';
import type { ProblemCode } from './problem-table.ts';

/** Of any request. The text of `body-too-large` says the same. */
const largestBodyBytes = 256 * 1024;
/** A client that is still sending may not read the refusal: a body up to this size is received to its end first. */
const largestDiscardedBytes = 16 * 1024 * 1024;

/** In one answer, so that its size is bounded whatever was sent. */
const mostFaultsReported = 100;

export interface BodyFault {
  field: string;
  message: string;
}

/** Every fault by field: of the body, a header or the query. */
export function invalidRequest(errors: readonly object[], code: ProblemCode = 'invalid-request'): Problem {
  const reported = errors.slice(0, mostFaultsReported).map(({ path: _, ...error }: { path?: unknown }) => error);
  return new Problem(code, { extension: { errors: reported } });
}

export async function readJson<S extends z.ZodType>(request: Request, schema: S): Promise<z.output<S>> {
  const value = await readJsonValue(request);
  // Where every field may be left out, so may the body.
  return checkBody(value === undefined && schema instanceof z.ZodObject ? {} : value, schema);
}

/** Undefined where there is no body. */
export async function readJsonValue(request: Request): Promise<unknown> {
  const text = await readText(request);
  if (text === '') return undefined;
  if (contentTypeOf(request) !== 'application/json') throw new Problem('unsupported-type');
  try {
    return JSON.parse(text, refusePrototype);
  } catch {
    throw invalidRequest([{ field: '', message: 'is not well-formed JSON' }]);
  }
}

export function checkBody<S extends z.ZodType>(value: unknown, schema: S): z.output<S> {
  const parsed = schema.safeParse(value, plainTexts);
  if (!parsed.success) throw invalidRequest(faultsIn(parsed.error));
  return parsed.data;
}

/** Every route reads its body here. Counted while it is received: a chunked body does not announce its size. */
export async function readBytes(request: Request): Promise<Uint8Array> {
  const announced = Number(request.headers.get('content-length') ?? 0);
  if (announced > largestDiscardedBytes) throw new Problem('body-too-large');
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size <= largestBodyBytes) chunks.push(chunk);
    if (size > largestDiscardedBytes) break;
  }
  if (size > largestBodyBytes) throw new Problem('body-too-large');
  if (isChunked(request.headers)) await expectNoTrailers(request);
  return Buffer.concat(chunks);
}

/** The server refuses a request with trailers by itself, once it has parsed them: it must have no effect here. */
async function expectNoTrailers(request: Request): Promise<void> {
  await setImmediate();
  if (request.signal.aborted) throw new Problem('invalid-request', { reason: 'the connection ended after the body' });
}

function isChunked(headers: Headers): boolean {
  return headers.has('transfer-encoding');
}

/** Whether a body may go on after its request was answered: nothing more is read from its connection then. */
export function mayOutlastAnswer(headers: Headers): boolean {
  return isChunked(headers) || Number(headers.get('content-length') ?? 0) > largestBodyBytes;
}

/** Nothing more is read from the connection. */
export async function answerAndClose(answer: Response | Promise<Response>): Promise<Response> {
  const response = await answer;
  response.headers.set('Connection', 'close');
  // Waits until what has arrived is parsed: the server refuses trailers with an answer of its own, and would send that
  // one after this.
  await setImmediate();
  return response;
}

async function readText(request: Request): Promise<string> {
  const bytes = await readBytes(request);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalidRequest([{ field: '', message: 'is not UTF-8' }]);
  }
}

/** JavaScript takes this key for the prototype of an object: it would be dropped without an error. */
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
    // A record's key that is itself invalid: the message is one level deeper.
    if (issue.code === 'invalid_key') return [fault(issue.path, issue.issues[0]?.message ?? issue.message)];
    return [fault(issue.path, issue.message)];
  });
}
