// The OpenAPI 3.1 document, made from the route declarations.
import { z } from 'zod';
import type { SignedIn } from './access.ts';
import {
  OAuthError,
  oauthError,
  ProblemDocument,
  type ProblemFormat,
  problemHeaders,
  problemTypes,
} from './problem.ts';
import { type ProblemCode, problemTable } from './problem-table.ts';
import { type AnswerDescription, type Route, tags } from './route.ts';

/** `identifier` is an SPDX expression for tools; `name` is for people. */
const license = { name: 'MIT', identifier: 'MIT' };

const accessToken = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'JWT',
  description: 'The accessToken from GET /auth/login/callback or, for programs, the access_token from POST /auth/token',
};

/** The document as text. It takes about 30 ms, so it is made on request instead of at startup. */
export function describeRoutes(
  routes: readonly Route[],
  { publicUrl, version }: { publicUrl: string; version: string },
): string {
  const { describe, schemas } = createDescriber();
  const documented = routes.filter(({ operationId }) => operationId !== undefined);
  const paths = [...Map.groupBy(documented, ({ path }) => path)].map(([path, there]) => [
    path,
    Object.fromEntries(there.map((route) => [route.method.toLowerCase(), describeRoute(route, describe)])),
  ]);
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Frontdesk',
      version,
      description: 'Sign-in for employee applications, and the lists that fill their forms.',
      license,
      contact: { name: 'Frontdesk', url: `${publicUrl}/docs` },
    },
    servers: [{ url: publicUrl }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(paths),
    components: { securitySchemes: { accessToken }, schemas },
  };
  return JSON.stringify(document).replaceAll('"#/$defs/', '"#/components/schemas/');
}

function describeRoute(route: Route, describe: Describe) {
  const { operationId, summary, description, tag, access, params, query, headers, body, answers } = route;
  return {
    operationId,
    summary,
    description,
    tags: [tag],
    security: access.kind === 'anyone' ? [] : [{ accessToken: [] }],
    parameters: [
      ...describeParameters('path', params, describe),
      ...describeParameters('query', query, describe),
      ...describeParameters('header', headers, describe).filter((header) => header.description !== undefined),
    ],
    ...(body !== undefined && {
      requestBody: { required: body.isRequired, content: describeContent(body.content, describe) },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, answer]) => [status, describeAnswer(answer, describe)]),
      ),
      ...describeProblems(problemsOf(route), route, describe),
    },
  };
}

function describeParameters(place: 'path' | 'query' | 'header', schema: z.ZodObject | undefined, describe: Describe) {
  return Object.entries<z.ZodType>(schema?.shape ?? {}).map(([name, part]) => {
    const described = describe(part);
    const required = !part.safeParse(undefined).success;
    return { name, in: place, required, description: described.description, schema: described };
  });
}

function problemsOf(route: Route): ProblemCode[] {
  const access = route.access.kind === 'anyone' ? [] : accessProblems(route.access);
  if (route.limitedBy?.endsWith('address')) access.push('rate-limited');
  if (route.openedBy !== undefined) access.push('navigation-required');
  if (route.onlyFromOwnPages) access.push('origin-refused');
  // The last two are possible on every route: a request with two hosts is refused, and any route can have a defect.
  return [...new Set<ProblemCode>([...access, ...route.problems, 'invalid-request', 'internal-error'])];
}

function accessProblems(access: SignedIn): ProblemCode[] {
  return [
    'unauthorized',
    'invalid-request',
    'token-expired',
    'invalid-token',
    'rate-limited',
    // If the storage is unavailable, routes that use it give this answer at once. All others give it after STALE_LIMIT_SECONDS.
    'storage-unavailable',
    ...(access.anyOf.length > 0 || access.check !== undefined ? (['forbidden'] as const) : []),
    ...(access.onlyPeople ? (['not-a-person'] as const) : []),
    ...(access.need !== undefined ? (['stronger-sign-in-needed'] as const) : []),
  ];
}

function describeAnswer({ description, content, headers }: AnswerDescription, describe: Describe) {
  return {
    description,
    headers: headers && describeHeaders(headers),
    content: content && describeContent(content, describe),
  };
}

function describeContent(content: Record<string, z.ZodType>, describe: Describe) {
  return Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema: describe(schema) }]));
}

function describeHeaders(headers: Record<string, string>) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  );
}

/** Describes one response for each status, with its problem codes as examples. */
function describeProblems(
  codes: ProblemCode[],
  { problemSchemas: schemas = {}, problemFormat: format = 'problem', refusalPage }: Route,
  describe: Describe,
) {
  const standard = format === 'oauth' ? OAuthError : ProblemDocument;
  const byStatus = Map.groupBy(codes, (code) => problemTable[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, sameStatus]) => {
      const headers = sameStatus.map(problemHeaders);
      return [
        status,
        {
          description: sameStatus.map((code) => `\`${code}\`: ${problemTable[code].detail}`).join('\n\n'),
          headers: describeHeaders({
            'X-Request-Id': 'The request ID, which is also in the log',
            ...(headers.some((each) => 'WWW-Authenticate' in each) && { 'WWW-Authenticate': 'RFC 6750 challenge' }),
            ...(headers.some((each) => 'Retry-After' in each) && { 'Retry-After': 'Seconds to wait' }),
          }),
          content: {
            [problemTypes[format]]: {
              schema: describe(anyOf(sameStatus.map((code) => schemas[code] ?? standard))),
              examples: Object.fromEntries(
                sameStatus
                  .filter((code) => !(code in schemas))
                  .map((code) => [code, { value: exampleOf(code, format) }]),
              ),
            },
            // People who open the address in a browser get a page.
            ...(refusalPage && { 'text/html': { schema: describe(z.string()) } }),
          },
        },
      ];
    }),
  );
}

function anyOf(schemas: z.ZodType[]): z.ZodType {
  const [first = ProblemDocument, ...others] = new Set(schemas);
  return others.length === 0 ? first : z.union([first, ...others]);
}

function exampleOf(code: ProblemCode, format: ProblemFormat) {
  if (format === 'oauth') return oauthError(code, 'https://frontdesk.example');
  const { status, title, detail } = problemTable[code];
  const instance = 'urn:uuid:0d5f7c2e-6a51-4f0e-9c0e-2f6f0f4f1a77';
  return { type: `https://frontdesk.example/problems/${code}`, title, status, detail, instance };
}

type JsonSchema = z.core.JSONSchema.BaseSchema;
type Describe = (schema: z.ZodType) => JsonSchema;

/** Turns Zod schemas into JSON Schema. A schema with an id is described once, in `schemas`, and referenced elsewhere. */
function createDescriber(): { describe: Describe; schemas: Record<string, JsonSchema> } {
  const schemas: Record<string, JsonSchema> = {};
  return {
    schemas,
    describe(schema) {
      // `input`: a field with a default may be left out, and an object that is not strict may have other fields.
      const { $schema: _, $defs, ...described } = z.toJSONSchema(schema, { io: 'input', override: simplify });
      Object.assign(schemas, $defs);
      return described;
    },
  };
}

const largest = Number.MAX_SAFE_INTEGER;

function simplify({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }): void {
  const { type } = zodSchema._zod.def;
  if (type === 'nullable') joinNull(jsonSchema);
  // `format` says the same as `pattern`, and regular expressions differ between languages.
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (type === 'record') delete jsonSchema.propertyNames;
  // Zod gives every integer JavaScript's bounds. They are kept only if declared.
  const declared = z.globalRegistry.get(zodSchema);
  if (type === 'number' && jsonSchema.minimum === -largest && declared?.minimum === undefined)
    delete jsonSchema.minimum;
  if (type === 'number' && jsonSchema.maximum === largest && declared?.maximum === undefined) delete jsonSchema.maximum;
}

/** Writes `type: [string, null]` instead of `anyOf`. */
function joinNull(schema: JsonSchema): void {
  const [value] = schema.anyOf ?? [];
  if (typeof value !== 'object' || value.type === undefined) return;
  delete schema.anyOf;
  Object.assign(schema, { ...value, ...schema, type: [value.type, 'null'] });
}
