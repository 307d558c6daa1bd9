// What every problem must look like.
import { expect } from 'bun:test';
import { type ProblemCode, problemTable } from '../../src/http/problem-table.ts';

/** Asserts the whole answer: status, code, type, text, request ID, and that nothing may be cached. */
export async function expectProblem(response: Response, code: ProblemCode, status: number): Promise<void> {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  const body = (await response.json()) as Record<string, unknown>;
  expect({ status: response.status, code: String(body.type).split('/problems/')[1] }).toEqual({ status, code });
  const { title, detail } = problemTable[code];
  // A 404 for a list names the list. All other texts depend only on the code.
  const text =
    code === 'not-found' && body.detail !== detail ? expect.stringMatching(/^There is no list ".+"/) : detail;
  const requestId = response.headers.get('x-request-id') ?? '';
  expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
  // RFC 9457 requires a URI here; RFC 9562 defines one for UUIDs.
  const instance = `urn:uuid:${requestId}`;
  // The only other member is `errors`, if there are any.
  const errors = body.errors === undefined ? {} : { errors: expect.any(Array) };
  expect(body).toEqual({ type: expect.stringMatching(/^https?:/), title, status, detail: text, instance, ...errors });
  expect(response.headers.get('cache-control')).toBe('no-store');
}
