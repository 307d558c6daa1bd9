// The bodies a route may declare, and how each is read: its size, content type, syntax and schema are checked.
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { Principal } from './access.ts';
import { invalidRequest, parametersOf, parse, type Refuse } from './parse.ts';
import { Problem } from './problem.ts';

/** Maximum body size, unless the route declares a different one. The text of `body-too-large` states this size, too. */
const largestBodyBytes = 256 * 1024;
/** A client that is still sending might not read a refusal, so a body up to this size is received completely first. */
const largestDiscardedBytes = 16 * 1024 * 1024;

export interface Body<T> {
  /** Content type to schema, for the contract. */
  content: Record<string, z.ZodType>;
  /** False if every field is optional, because the body may then be left out. */
  isRequired: boolean;
  read(request: Request, principal?: Principal): Promise<T>;
}

export function jsonBody<S extends z.ZodType>(schema: S): Body<z.output<S>> {
  // No body means the same as an empty object.
  const missing = schema instanceof z.ZodObject ? {} : undefined;
  return {
    content: { 'application/json': schema },
    isRequired: !schema.safeParse(missing).success,
    read: async (request) => parse(schema, (await readJson(request)) ?? missing),
  };
}

const formType = 'application/x-www-form-urlencoded';

/** A body with a different content type counts as a form without fields. */
export function formBody<S extends z.ZodObject>(schema: S, refuse: Refuse): Body<z.output<S>> {
  return {
    content: { [formType]: schema },
    isRequired: true,
    read: async (request) => parse(schema, (await readForm(request)) ?? {}, refuse),
  };
}

/** RFC 6749 section 3.2: parameters must not be repeated, and unknown ones are ignored. */
export function oauthFormBody<S extends z.ZodObject>(schema: S, refuse?: Refuse): Body<z.output<S>> {
  return {
    content: { [formType]: schema },
    isRequired: true,
    async read(request) {
      const form = await readForm(request);
      if (form === undefined) throw new Problem('unsupported-type');
      const repeated = Object.entries(form).filter(([, value]) => Array.isArray(value));
      if (repeated.length > 0) {
        throw invalidRequest(repeated.map(([field]) => ({ field, message: 'must be given once' })));
      }
      return parse(schema, form, refuse);
    },
  };
}

/** Undefined if the body has a different content type. */
async function readForm(request: Request): Promise<Record<string, unknown> | undefined> {
  const text = new TextDecoder().decode(await readBytes(request));
  return contentTypeOf(request) === formType ? parametersOf(text) : undefined;
}

interface FileLimits {
  mostBytes: number;
  /** Maximum number of documents a person may send at once. A slow upload holds memory until it is complete. */
  mostOfPerson: number;
}

/** A body that is received as bytes and not parsed. Its content type determines `format`. */
export function fileBody<F extends string>(
  formats: ReadonlyMap<string, F>,
  content: Body<unknown>['content'],
  { mostBytes, mostOfPerson }: FileLimits,
): Body<{ bytes: Uint8Array; format: F }> {
  const receiving = new Map<string, number>();
  return {
    content,
    isRequired: true,
    async read(request, principal) {
      const format = formats.get(contentTypeOf(request));
      if (format === undefined) throw new Problem('unsupported-type');
      const person = principal?.employeeId ?? '';
      const others = receiving.get(person) ?? 0;
      if (others >= mostOfPerson) throw new Problem('documents-busy');
      receiving.set(person, others + 1);
      try {
        return { bytes: await readBytes(request, mostBytes), format };
      } finally {
        const left = (receiving.get(person) ?? 1) - 1;
        if (left === 0) receiving.delete(person);
        else receiving.set(person, left);
      }
    },
  };
}

/** Undefined if there is no body. */
async function readJson(request: Request): Promise<unknown> {
  const text = await readText(request);
  if (text === '') return undefined;
  if (contentTypeOf(request) !== 'application/json') throw new Problem('unsupported-type');
  try {
    return JSON.parse(text, refusePrototype);
  } catch {
    throw invalidRequest([{ field: '', message: 'is not well-formed JSON' }]);
  }
}

/** Every route reads its body here. The size is counted while receiving, since a chunked body does not announce it. */
async function readBytes(request: Request, mostBytes = largestBodyBytes): Promise<Uint8Array> {
  const announced = Number(request.headers.get('content-length') ?? 0);
  if (announced > largestDiscardedBytes) throw new Problem('body-too-large');
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size <= mostBytes) chunks.push(chunk);
    if (size > largestDiscardedBytes) break;
  }
  if (size > mostBytes) throw new Problem('body-too-large');
  if (isChunked(request.headers)) await expectNoTrailers(request);
  return Buffer.concat(chunks);
}

/** The server itself refuses a request with trailers once it has parsed them. Such a request must have no effect. */
async function expectNoTrailers(request: Request): Promise<void> {
  await setImmediate();
  if (request.signal.aborted) throw new Problem('invalid-request', { reason: 'the connection ended after the body' });
}

function isChunked(headers: Headers): boolean {
  return headers.has('transfer-encoding');
}

export function hasBody(headers: Headers): boolean {
  return headers.has('content-length') || isChunked(headers);
}

/** Whether the client may still be sending the body after the answer. If so, nothing more is read from the connection. */
export function mayOutlastAnswer(headers: Headers): boolean {
  return isChunked(headers) || Number(headers.get('content-length') ?? 0) > largestBodyBytes;
}

/** Closes the connection after the answer, without reading more from it. */
export async function answerAndClose(answer: Response | Promise<Response>): Promise<Response> {
  const response = await answer;
  response.headers.set('Connection', 'close');
  // Waits until everything received is parsed, because the server itself refuses trailers, and would send that refusal after
  // this answer.
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

/** JavaScript treats this key as the object's prototype, so it would be dropped without an error. */
function refusePrototype(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new SyntaxError();
  return value;
}

function contentTypeOf(request: Request): string {
  return (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}
