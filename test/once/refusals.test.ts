// The answer to an invalid request names every error by its field, in plain words, for every schema of the contract.
import { beforeAll, describe, expect, test } from 'bun:test';
import { bearer, startFrontdesk } from '../support/frontdesk.ts';
import { shared } from '../support/shared.ts';

interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}
interface Operation {
  parameters?: { name: string; in: string; required?: boolean; example?: unknown }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}
interface Fault {
  field: string;
  message: string;
}

const desk = shared(() => startFrontdesk({ RATE_LIMIT_API: '0' }));
let admin: string;
let schemas: Record<string, Schema>;
let operations: { method: string; path: string; operation: Operation }[];
beforeAll(async () => {
  admin = await desk.signIn('E-1001');
  const contract = (await (await desk.get('/openapi.json')).json()) as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, Schema> };
  };
  ({ schemas } = contract.components);
  operations = Object.entries(contract.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
});

type Path = (string | number)[];

/** Every position in a schema, including the schema itself. */
function placesIn(schema: Schema, depth = 0): Path[] {
  const name = schema.$ref?.split('/').at(-1);
  if (name !== undefined) return placesIn(schemas[name] ?? {}, depth);
  if (depth > 6) return [[]];
  const within = (step: string | number, inner: Schema) => placesIn(inner, depth + 1).map((path) => [step, ...path]);
  return [
    [],
    ...Object.entries(schema.properties ?? {}).flatMap(([step, inner]) => within(step, inner)),
    ...(typeof schema.additionalProperties === 'object' ? within('position', schema.additionalProperties) : []),
    ...(schema.items === undefined ? [] : within(0, schema.items)),
    ...[schema.anyOf, schema.oneOf, schema.allOf].flatMap((parts) =>
      (parts ?? []).flatMap((part) => placesIn(part, depth)),
    ),
  ];
}

/** A body with only this value at this position. */
function bodyWith(path: Path, value: unknown): unknown {
  return path.reduceRight<unknown>((inner, step) => (typeof step === 'number' ? [inner] : { [step]: inner }), value);
}

const wrongValues = [null, true, -1, 0.5, 1e300, '', '\u0000', 'x'.repeat(600), [], [[]], [null, 1], {}, { '': 1 }];

/** Words of the validator or of JavaScript that no person should read. */
const rawWords =
  /\b(Invalid|expected|received|undefined|NaN|Unrecognized|Too (big|small)|pattern|regex|record|literal|ZodError|\[object)\b/i;

async function expectPlainFaults(what: string, response: Response): Promise<void> {
  const text = await response.text();
  const { errors } = JSON.parse(text) as { errors?: Fault[] };
  expect([what, response.status, (errors ?? []).length > 0]).toEqual([what, 400, true]);
  for (const { field, message } of errors ?? []) {
    expect([what, field, message, rawWords.test(message)]).toEqual([what, field, message, false]);
    expect(typeof field).toBe('string');
    expect(message.length).toBeGreaterThan(4);
  }
}

test('a wrong type, at every position of every schema, is reported in plain words', async () => {
  let sent = 0;
  for (const { method, path, operation } of operations) {
    const schema = operation.requestBody?.content['application/json']?.schema;
    if (schema === undefined) continue;
    const address = path.replace('{list}', 'position').replace('{value}', 'ACCOUNTANT');
    for (const place of new Set(placesIn(schema).map((each) => JSON.stringify(each)))) {
      for (const value of wrongValues) {
        const body = JSON.stringify(bodyWith(JSON.parse(place) as Path, value));
        const response = await fetch(desk.url + address, {
          method,
          headers: { ...bearer(admin), 'content-type': 'application/json', 'if-match': '"1"' },
          body,
        });
        // Some of these bodies are valid, such as an empty change.
        if (response.status < 400 || [404, 409, 412].includes(response.status)) continue;
        await expectPlainFaults(`${method} ${address} ${body.slice(0, 80)}`, response);
        sent++;
      }
    }
  }
  expect(sent).toBeGreaterThan(300);
});

test('for every query parameter, a wrong value is reported by field', async () => {
  let sent = 0;
  const queries = operations.flatMap(({ method, path, operation }) =>
    (operation.parameters ?? [])
      .filter((each) => each.in === 'query')
      .map(({ name }, _, all) => {
        const others = all.filter((each) => each.required === true && each.name !== name);
        return { method, path, name, rest: others.map((each) => `&${each.name}=${each.example}`).join('') };
      }),
  );
  for (const { method, path, name, rest } of queries) {
    const address = path.replace('{list}', 'position');
    const wrong = ['', 'x', '-1', '1e99', 'x'.repeat(600), '%00', '2027-02-30'];
    for (const query of [...wrong.map((value) => `${name}=${value}`), `${name}=1&${name}=2`, `${name}=&${name}=`]) {
      const response = await fetch(`${desk.url}${address}?${query}${rest}`, {
        method,
        headers: { ...bearer(admin), 'content-type': 'application/json' },
        redirect: 'manual',
        ...(method !== 'GET' && { body: '{"lists":{}}' }),
      });
      if (response.status !== 400) continue;
      const text = await response.clone().text();
      // These problems are about what the sign-in requests, not about the syntax of its parameters.
      if (/\/problems\/(missing-code|invalid-redirect|login-|code-rejected)/.test(text)) continue;
      await expectPlainFaults(`${method} ${address}?${query.slice(0, 80)}`, response);
      const { errors } = JSON.parse(text) as { errors: Fault[] };
      expect([query, errors.map(({ field }) => field.split('.')[0])]).toEqual([query, errors.map(() => name)]);
      sent++;
    }
  }
  expect(sent).toBeGreaterThan(30);
});

test('only a hundred of a thousand faults are reported', async () => {
  const response = await fetch(`${desk.url}/admin/lookups/position/order`, {
    method: 'PUT',
    headers: { ...bearer(admin), 'content-type': 'application/json', 'if-match': '"1"' },
    body: JSON.stringify({ values: Array.from({ length: 1000 }, () => 1) }),
  });
  expect(((await response.clone().json()) as { errors: Fault[] }).errors.length).toBe(100);
  await expectPlainFaults('order', response);
});

describe('a list', () => {
  const create = (list: string) =>
    fetch(`${desk.url}/admin/lookups`, {
      method: 'POST',
      headers: { ...bearer(admin), 'content-type': 'application/json' },
      body: JSON.stringify({ list, title: 'A list' }),
    });
  /** The literal path segments in the position where other paths have `{list}`. */
  const ownWords = () => {
    const paths = operations.map(({ path }) => path.split('/'));
    return new Set(
      paths.flatMap((path) => {
        const at = path.indexOf('{list}');
        const others = at === -1 ? [] : paths.filter((other) => other.slice(0, at).join() === path.slice(0, at).join());
        return others.flatMap((other) => other[at] ?? []).filter((word) => !word.startsWith('{'));
      }),
    );
  };

  test('cannot be named like an address of the service, whichever way it is created', async () => {
    const standard = ['position', 'overtime-eligibility', 'employment-type', 'employee-level'];
    const words = [...ownWords()].filter((word) => !standard.includes(word));
    expect(words.sort()).toEqual(['apply', 'plan']);
    for (const word of words) {
      const created = await create(word);
      expect((await created.clone().json()) as object).toMatchObject({ errors: [{ field: 'list' }] });
      await expectPlainFaults(word, created);
      const bodies = [
        ['application/yaml', `lists:\n  ${word}:\n    title: A list\n`],
        ['application/json', JSON.stringify({ lists: { [word]: { title: 'A list' } } })],
        ['text/csv', `list,value,label\n${word},A,A\n`],
      ];
      for (const [type = '', body] of bodies) {
        for (const act of ['plan', 'apply']) {
          const headers = { ...bearer(admin), 'content-type': type };
          const response = await fetch(`${desk.url}/admin/lookups/${act}`, { method: 'POST', headers, body });
          await expectPlainFaults(`${act} ${type} ${word}`, response);
        }
      }
    }
  });

  test('is answered with its address when it is created', async () => {
    const response = await create('cost-centre');
    expect([response.status, response.headers.get('location')]).toEqual([201, `${desk.url}/admin/lookups/cost-centre`]);
    const again = await fetch(response.headers.get('location') ?? '', { headers: bearer(admin) });
    expect(((await again.json()) as { list: string }).list).toBe('cost-centre');
  });
});
