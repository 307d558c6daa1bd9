// The OpenAPI document itself: generators and linters of other projects accept it.
import { beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { validateStatuses } from '../../src/lookup/rules/judging.ts';
import { bearer, startFrontdesk } from '../support/frontdesk.ts';
import { root } from '../support/process.ts';
import { shared } from '../support/shared.ts';

interface Schema {
  description?: string;
  example?: unknown;
  minimum?: number;
  maximum?: number;
  $ref?: string;
  type?: string | string[];
  format?: string;
  pattern?: string;
  minLength?: number;
  items?: Schema;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | false;
}
interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
}
interface Content {
  content?: Record<string, { schema: Schema }>;
}
interface Operation {
  operationId: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content>;
}
interface Document {
  info: { license: object };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const desk = shared(startFrontdesk);
let text: string;
let document: Document;
beforeAll(async () => {
  text = await (await desk.get('/openapi.json')).text();
  document = JSON.parse(text) as Document;
});

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, ...operation })),
  );
const operation = (name: string) => {
  const found = operations().find((each) => each.name === name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
};
const schema = (name: string): Schema => {
  const found = document.components.schemas[name];
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
};
const property = (name: string, key: string) => schema(name).properties?.[key];
const parameter = (name: string, key: string) => operation(name).parameters?.find((each) => each.name === key);

test('docs/api.md has every operation', () => {
  const page = readFileSync(join(root, 'docs/api.md'), 'utf8');
  const documented = [...page.matchAll(/^\| `([A-Z]+ \/[^`]*)` \|/gm)].map(([, name = '']) => name);
  const names = operations().map(({ name }) => name);
  expect(documented.sort()).toEqual(names.sort());
});

/** Every schema in the document, at any depth. */
function* schemasIn(value: unknown): Generator<Schema> {
  if (typeof value !== 'object' || value === null) return;
  yield value;
  for (const part of Object.values(value)) yield* schemasIn(part);
}

test('every operation has a name in words', () => {
  expect(Object.fromEntries(operations().map(({ name, operationId }) => [name, operationId]))).toEqual({
    'GET /employee/position': 'listPositions',
    'GET /employee/overtime-eligibility': 'listOvertimeEligibilities',
    'GET /employee/employment-type': 'listEmploymentTypes',
    'GET /employee/employee-level': 'listEmployeeLevels',
    'GET /employee/{list}': 'listItems',
    'GET /lookups': 'getAllLists',
    'GET /lookups/titles': 'getListTitles',
    'POST /lookups/validate': 'validateValues',
    'GET /lookups/changes': 'streamListChanges',
    'GET /admin/lookups': 'getListSummaries',
    'POST /admin/lookups': 'createList',
    'GET /admin/lookups/{list}': 'getList',
    'GET /admin/lookups/{list}/history': 'getListHistory',
    'GET /admin/lookups/{list}/last-changes': 'getLastChanges',
    'GET /admin/lookups/{list}/versions/{version}': 'getListVersion',
    'POST /admin/lookups/{list}/items': 'addItem',
    'PATCH /admin/lookups/{list}': 'changeListSettings',
    'PATCH /admin/lookups/{list}/items/{value}': 'changeItem',
    'POST /admin/lookups/{list}/items/{value}/retire': 'retireItem',
    'POST /admin/lookups/{list}/items/{value}/restore': 'restoreItem',
    'PUT /admin/lookups/{list}/order': 'orderItems',
    'POST /admin/lookups/{list}/undo': 'undoListChanges',
    'POST /admin/lookups/plan': 'planDocument',
    'POST /admin/lookups/apply': 'applyDocument',
    'GET /admin/audit': 'listAuditRows',
    'GET /admin/permissions': 'getPermissions',
    'GET /admin/roles': 'listKnownRoles',
    'GET /admin/search': 'searchLists',
    'GET /auth/login': 'startLogin',
    'GET /auth/login/callback': 'finishLogin',
    'GET /auth/me': 'getCurrentUser',
    'GET /auth/sessions': 'listOwnSessions',
    'DELETE /auth/sessions/{id}': 'endOwnSession',
    'GET /auth/avatars/{initials}': 'getAvatar',
    'POST /auth/logout': 'endSession',
    'POST /auth/introspect': 'introspectToken',
    'POST /auth/token': 'requestCallerToken',
    'POST /auth/renew': 'renewSession',
    'GET /auth/logout': 'leaveProvider',
    'POST /auth/backchannel-logout': 'receiveBackchannelLogout',
    'GET /.well-known/jwks.json': 'getKeySet',
    'GET /.well-known/client-jwks.json': 'getClientKeySet',
    'GET /.well-known/oauth-authorization-server': 'getServerMetadata',
    'GET /client/frontdesk-client.tgz': 'getClientPackage',
    'GET /openapi.json': 'getOpenApiDocument',
    'GET /health/live': 'checkLive',
    'GET /health/ready': 'checkReady',
    'GET /problems/{code}': 'getProblemPage',
  });
});

test('every tag in use is described', () => {
  const used = new Set(operations().flatMap(({ tags }) => tags));
  expect([...used].sort()).toEqual(document.tags.map(({ name }) => name).sort());
  for (const { description } of document.tags) expect(description).toMatch(/^\p{Lu}.+\.$/u);
});

test('the license is named by its SPDX identifier', () => {
  expect(document.info.license).toEqual({ name: 'MIT', identifier: 'MIT' });
});

describe('schemas', () => {
  test.each([
    'ItemState',
    'HistoryChange',
    'PlanChange',
    'DocumentItem',
    'ValidateOutcome',
    'FieldError',
    'Jwk',
    'VersionConflict',
  ])('%s has a name', (name) => {
    expect(schema(name)).toMatchObject({ type: 'object' });
    expect(text).toContain(`"$ref":"#/components/schemas/${name}"`);
  });

  test('a version conflict says which list, which version, and what changed', () => {
    for (const name of ['PUT /admin/lookups/{list}/order', 'POST /admin/lookups/apply', 'POST /admin/lookups/plan']) {
      const { content } = operation(name).responses['412'] ?? {};
      expect(content?.['application/problem+json']?.schema).toEqual({ $ref: '#/components/schemas/VersionConflict' });
    }
    const { properties, required } = schema('VersionConflict');
    expect(properties).toMatchObject({
      list: { type: 'string' },
      version: { type: 'integer' },
      changes: { type: 'array', items: { $ref: '#/components/schemas/HistoryEntry' } },
    });
    expect(required).toEqual(
      expect.arrayContaining(['type', 'title', 'status', 'detail', 'instance', 'list', 'version', 'changes']),
    );
  });

  test('patterns are plain JSON Schema patterns, without the delimiters and flags of a programming language', () => {
    const patterns = [...schemasIn(document)].map(({ pattern }) => pattern).filter((each) => typeof each === 'string');
    expect(patterns.length).toBeGreaterThan(0);
    for (const pattern of new Set(patterns)) {
      expect([pattern, /^\^.*\$$/.test(pattern)]).toEqual([pattern, true]);
      // Python and RE2 do not support these constructs, nor repetitions of more than a thousand.
      expect([pattern, /\\p\{|\(\?|\{\d*,?\d{4,}\}/i.test(pattern)]).toEqual([pattern, false]);
    }
  });

  test('no schema allows additional members, because generators would then drop the declared ones', () => {
    const isOpen = ({ properties = {}, additionalProperties = false }: Schema) =>
      Object.keys(properties).length > 0 && additionalProperties !== false;
    expect([...schemasIn(document)].filter(isOpen)).toEqual([]);
  });

  test('times have the format date-time', () => {
    const inTime = { type: 'string', format: 'date-time' };
    expect(property('ListSummary', 'updatedAt')).toMatchObject(inTime);
    expect(property('HistoryEntry', 'at')).toMatchObject(inTime);
    expect(property('AuditRow', 'at')).toMatchObject(inTime);
    for (const name of ['KeptItem', 'ItemState', 'ValidateOutcome']) {
      expect(property(name, 'retiredAt')).toMatchObject({ type: ['string', 'null'], format: 'date-time' });
    }
  });

  test('what must not be empty has a minimum length', () => {
    for (const [name, key] of [
      ['NewList', 'title'],
      ['NewItem', 'label'],
      ['ItemChanges', 'label'],
      ['DocumentItem', 'label'],
      ['LogoutForm', 'logout_token'],
    ] as const) {
      expect([name, key, property(name, key)?.minLength]).toEqual([name, key, 1]);
    }
    for (const [name, key] of [
      ['GET /auth/login/callback', 'code'],
      ['GET /admin/audit', 'since'],
      ['GET /auth/avatars/{initials}', 'initials'],
      ['GET /auth/login', 'redirect_uri'],
      ['GET /auth/login/callback', 'redirect_uri'],
      ['GET /auth/logout', 'post_logout_redirect_uri'],
      ['PUT /admin/lookups/{list}/order', 'If-Match'],
    ] as const) {
      expect([name, key, parameter(name, key)?.schema.minLength]).toEqual([name, key, 1]);
    }
  });

  test('nothing has two types at once, except null and one other: some generators support no more', () => {
    const lists = [...schemasIn(document)].map(({ type }) => type).filter((type) => Array.isArray(type));
    expect(lists.length).toBeGreaterThan(0);
    for (const types of lists) expect(types).toEqual([expect.any(String), 'null']);
    const values = { type: 'array', items: { type: 'string' } };
    expect(schema('ValidateRequest').additionalProperties).toEqual(values);
  });

  test('the statuses of stored values are open: generated clients take those of a newer service', () => {
    expect(property('ValidateOutcome', 'status')).toEqual({
      type: 'string',
      description: expect.stringContaining(validateStatuses.join(', ')),
      example: 'active',
    });
  });
});

describe('requests', () => {
  test('the code may be missing if there is an error instead', () => {
    expect(parameter('GET /auth/login/callback', 'code')?.required ?? false).toBe(false);
    expect(parameter('GET /auth/login/callback', 'error')?.required ?? false).toBe(false);
  });

  test('the parameter "since" is a plain string', () => {
    expect(parameter('GET /admin/audit', 'since')?.schema.type).toBe('string');
    expect(parameter('GET /admin/audit', 'since')?.schema.anyOf).toBeUndefined();
  });

  test('a version is a number in a path, too', () => {
    const { schema } = parameter('GET /admin/lookups/{list}/versions/{version}', 'version') ?? {};
    expect(schema).toEqual({ type: 'integer', minimum: 1, maximum: 999_999_999, example: 1 });
  });

  test('a number in a query is written in digits', async () => {
    const [admin, auditor] = [await desk.signIn('E-1001'), await desk.signIn('E-1006')];
    const numbers = operations().flatMap(({ name, parameters = [] }) =>
      parameters.filter(({ schema }) => schema.type === 'integer').map((each) => ({ operation: name, ...each })),
    );
    expect(new Set(numbers.map(({ name }) => name))).toEqual(
      new Set(['limit', 'before', 'changesFrom', 'version', 'max_age']),
    );
    // An invalid max_age is answered like other sign-in errors.
    for (const { operation, name } of numbers.filter((each) => each.in === 'query' && each.name !== 'max_age')) {
      const path = operation.replace('GET ', '').replace('{list}', 'position');
      for (const text of ['0x2', '1e1', '%2B2', '%202', '', '2.0', '-0']) {
        const token = path.includes('audit') ? auditor : admin;
        const required = path.endsWith('/search') ? 'q=a&' : '';
        const response = await desk.get(`${path}?${required}${name}=${text}`, bearer(token));
        const { errors } = (await response.json()) as { errors?: { field: string; message: string }[] };
        expect([operation, name, text, response.status, errors]).toEqual([
          ...[operation, name, text, 400],
          [{ field: name, message: expect.stringMatching(/^must be a whole number from \d+ to \d+$/) }],
        ]);
      }
    }
  });

  test('every change to a list needs If-Match', () => {
    const writes = operations().filter(({ responses }) => '428' in responses);
    expect(writes).toHaveLength(7);
    for (const { name } of writes) {
      expect([name, parameter(name, 'If-Match')]).toEqual([
        name,
        expect.objectContaining({ in: 'header', required: true }),
      ]);
    }
  });

  test('headers that OpenAPI describes elsewhere are not declared as parameters', () => {
    const headers = operations().flatMap(({ parameters = [] }) => parameters.filter((each) => each.in === 'header'));
    expect(headers.length).toBeGreaterThan(0);
    for (const { name } of headers)
      expect(['accept', 'content-type', 'authorization']).not.toContain(name.toLowerCase());
  });

  test('a body that may be absent is marked so, and every other is required', () => {
    const bodies = operations().filter(({ requestBody }) => requestBody !== undefined);
    const absent = bodies
      .filter(({ requestBody }) => requestBody?.required !== true)
      .map(({ operationId }) => operationId);
    expect(absent.sort()).toEqual(['changeItem', 'changeListSettings', 'restoreItem', 'retireItem']);
  });

  test('every operation with a body documents that it may be too large', () => {
    const bodies = operations().filter(({ requestBody }) => requestBody !== undefined);
    expect(bodies.length).toBeGreaterThan(0);
    for (const { name, responses } of bodies) expect([name, '413' in responses]).toEqual([name, true]);
  });
});

describe('the recommended rules of linters find nothing', () => {
  // Linters rightly report localhost in a published document, so it is replaced.
  const published = () => text.replaceAll(desk.url, 'https://desk.example.org');

  test('in Redocly, which also compares every example with its schema', async () => {
    const config = await createConfig({
      extends: ['recommended'],
      rules: { 'no-invalid-schema-examples': 'error', 'no-invalid-parameter-examples': 'error' },
    });
    const findings = await lintFromString({ source: published(), config });
    expect(findings.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
    // Checks that the linter does find mistakes.
    const answer = { schema: { type: 'integer', example: 'no number' }, example: 'no number' };
    const spoilt = {
      ...JSON.parse(published()),
      info: { title: 'T', version: '1', license: { name: 'MIT' } },
      paths: {
        '/x': {
          get: {
            parameters: [{ name: 'q', in: 'query', schema: { type: 'integer' }, example: 'no number' }],
            responses: { 200: { description: 'D', content: { 'application/json': answer } } },
          },
        },
      },
    };
    const found = await lintFromString({ source: JSON.stringify(spoilt), config });
    expect(found.map(({ ruleId }) => ruleId)).toEqual(
      expect.arrayContaining([
        'info-license-strict',
        'no-invalid-media-type-examples',
        'no-invalid-schema-examples',
        'no-invalid-parameter-examples',
      ]),
    );
  });

  test('in Spectral, without the rules about examples', async () => {
    const spectral = new Spectral();
    // Redocly compares the examples with their schemas in the test above, ten times as fast.
    const rules = { 'oas3-valid-media-example': 'off', 'oas3-valid-schema-example': 'off' } as const;
    spectral.setRuleset({ extends: [[oas as RulesetDefinition, 'recommended']], rules });
    const findings = await spectral.run(published());
    expect(findings.map(({ code, message, path }) => [code, message, path.join('.')])).toEqual([]);
    const spoilt = await spectral.run(JSON.stringify({ ...JSON.parse(published()), paths: { '/x': { get: {} } } }));
    expect(spoilt.map(({ code }) => code)).toContain('operation-operationId');
  });
});
