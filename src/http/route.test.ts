import { describe, expect, test } from 'bun:test';
import { z } from 'zod';
import { anyone, signedIn } from './access.ts';
import { jsonBody } from './body.ts';
import { Problem } from './problem.ts';
import { directRoute, numberParameter, route } from './route.ts';

const described = {
  method: 'POST',
  path: '/things',
  operationId: undefined,
  access: anyone,
  tag: 'Service',
  summary: '',
  answers: {},
  problems: [],
} as const;
const Name = z.object({ name: z.string().regex(/^[a-z]+$/) });
const Count = z.object({ count: numberParameter(0, 100) });
const Tag = z.object({ 'X-Tag': z.string().min(3) });

/** The arguments with which the edge calls a route. */
function incoming({ search = '', headers = {}, name = '', body = '' }) {
  const request = new Request(`http://localhost/things${search}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  const call = { request, headers: request.headers, search, at: 0, requestId: 'r', address: 'a', principal: undefined };
  return { ...call, params: { name } };
}

describe('a declaration', () => {
  const steps: string[] = [];
  const declared = route({
    ...described,
    path: '/things/{name}',
    params: Name,
    query: Count,
    async find({ name }) {
      steps.push('find');
      return name === 'unknown' ? undefined : { title: name.toUpperCase() };
    },
    headers: Tag,
    refuseHeaders: () => new Problem('version-required'),
    body: {
      ...jsonBody(z.strictObject({ label: z.string() })),
      async read(request) {
        steps.push('body');
        return jsonBody(z.strictObject({ label: z.string() })).read(request);
      },
    },
    handle({ params, query, found, headers, body, requestId }) {
      return Response.json({ params, query, found, headers, body, requestId });
    },
  });
  const all = { name: 'a', search: '?count=7&other=1', headers: { 'x-tag': 'abc', other: '1' }, body: '{"label":"L"}' };

  test('gives the handler what it declares, parsed, and nothing else', async () => {
    expect(await (await declared.handle(incoming(all))).json()).toEqual({
      params: { name: 'a' },
      query: { count: 7 },
      found: { title: 'A' },
      headers: { 'X-Tag': 'abc' },
      body: { label: 'L' },
      requestId: 'r',
    });
  });

  const nothing = { search: '?count=x', headers: {}, body: '{' };
  test.each([
    ['a parameter that does not match', { ...nothing, name: 'A B' }, 'not-found', []],
    ['the query', { ...nothing, name: 'unknown' }, 'invalid-request', []],
    ['a thing that does not exist', { ...nothing, name: 'unknown', search: all.search }, 'not-found', ['find']],
    ['a header', { ...nothing, name: 'a', search: all.search }, 'version-required', ['find']],
    ['the body', { ...all, body: '{' }, 'invalid-request', ['find', 'body']],
  ])('refuses a request for %s before later parts are read', async (_, sent, code, done) => {
    steps.length = 0;
    const refused = await Promise.resolve(declared.handle(incoming(sent))).catch((error: unknown) => error);
    expect({ code: refused instanceof Problem ? refused.code : '', steps }).toEqual({ code, steps: done });
  });

  test('fails at startup if the parameters in its path are not those in its schema', () => {
    const handle = () => new Response();
    expect(() => route({ ...described, path: '/things/{other}', params: Name, handle })).toThrow('/things/{other}');
    expect(() => route({ ...described, params: Name, handle })).toThrow('/things');
    expect(() => directRoute({ ...described, access: signedIn, path: '/things/{name}', handle })).toThrow();
  });
});

describe('a part that is not declared', () => {
  // `npm run check` compiles this, and each of these lines must remain a type error.
  test('cannot be read', async () => {
    const undeclared = route({
      ...described,
      async handle(call) {
        const read = [
          () => call.principal,
          // @ts-expect-error no parameters
          () => call.params.name,
          // @ts-expect-error no query
          () => call.query.count,
          // @ts-expect-error no headers
          () => call.headers['X-Tag'],
          // @ts-expect-error no body
          () => call.body.label,
          // @ts-expect-error no find function
          () => call.found.title,
          // @ts-expect-error the request itself
          () => call.request.headers,
          // @ts-expect-error the unparsed query
          () => call.search.length,
        ];
        const failed = read.map((each) => {
          try {
            return each() === undefined;
          } catch (error) {
            return error instanceof TypeError;
          }
        });
        return Response.json(failed);
      },
    });
    const answer = await undeclared.handle(incoming({ search: '?count=1', headers: { 'x-tag': 'a' }, body: '{}' }));
    expect(await answer.json()).toEqual([true, true, true, true, true, true, true, true]);
  });

  test('cannot be read next to declared parts, and cannot be declared by the handler alone', () => {
    const typed = [
      route({
        ...described,
        path: '/things/{name}',
        params: Name,
        query: Count,
        headers: Tag,
        body: jsonBody(Name),
        handle({ params, query, headers, body }) {
          const known: [string, number, string, string] = [params.name, query.count, headers['X-Tag'], body.name];
          // @ts-expect-error not a parameter
          const other = [params.other];
          // @ts-expect-error not in the query
          other.push(query.name);
          // @ts-expect-error a header that the route does not declare
          other.push(headers.cookie);
          // @ts-expect-error not in the body
          other.push(body.label);
          return Response.json({ known, other });
        },
      }),
      // @ts-expect-error only the handler declares a query
      route({ ...described, handle: ({ query }: { query: { count: number } }) => Response.json(query) }),
      directRoute({
        ...described,
        access: signedIn,
        path: '/things/{name}',
        params: Name,
        headers: Tag,
        handle({ params, headers, query }) {
          const known: [string, string | null, undefined] = [params.name, headers.get('X-Tag'), query];
          // @ts-expect-error a header that the route does not declare
          return Response.json({ known, other: headers.get('cookie') });
        },
      }),
    ];
    expect(typed).toHaveLength(3);
  });
});
