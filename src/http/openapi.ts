// The OpenAPI 3.1 document, made from the route declarations.
import { OpenAPIHono, z } from '@hono/zod-openapi';
import type { SignedIn } from './access.ts';
import { ProblemDocument } from './problem.schema.ts';
import { problemHeaders } from './problem.ts';
import { type ProblemCode, problemTable } from './problem-table.ts';
import { type AnswerDescription, type Route, tags } from './route.ts';

type RouteConfig = Parameters<OpenAPIHono['openAPIRegistry']['registerPath']>[0];

/** `identifier` is an SPDX expression: the name is for people. */
const license = { name: 'MIT', identifier: 'MIT' };

/** The document as text. Takes some 30 ms: made when it is requested, not at every start. */
export function describeRoutes(
  routes: readonly Route[],
  { publicUrl, version }: { publicUrl: string; version: string },
): string {
  const document = new OpenAPIHono();
  const registry = document.openAPIRegistry;
  registry.registerComponent('securitySchemes', 'accessToken', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The accessToken of GET /auth/login/callback',
  });
  registry.register('Problem', ProblemDocument);
  for (const route of routes) if (route.operationId !== undefined) registry.registerPath(describeRoute(route));
  return JSON.stringify(
    document.getOpenAPI31Document({
      openapi: '3.1.0',
      info: {
        title: 'Frontdesk',
        version,
        description: 'Sign-in for employee applications, and the lists their forms are filled from.',
        license,
        contact: { name: 'Frontdesk', url: `${publicUrl}/docs` },
      },
      servers: [{ url: publicUrl }],
      tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    }),
  );
}

function describeRoute(route: Route): RouteConfig {
  return {
    method: route.method.toLowerCase() as RouteConfig['method'],
    path: route.path,
    ...(route.operationId !== undefined && { operationId: route.operationId }),
    summary: route.summary,
    ...(route.description !== undefined && { description: route.description }),
    tags: [route.tag],
    security: route.access.kind === 'anyone' ? [] : [{ accessToken: [] }],
    request: {
      ...(route.query !== undefined && { query: route.query }),
      ...(route.params !== undefined && { params: route.params }),
      ...(route.headers !== undefined && { headers: documentedHeaders(route.headers) }),
      ...(route.body !== undefined && {
        body: { required: route.body.isRequired, content: describeContent(route.body.content) },
      }),
    },
    responses: {
      ...Object.fromEntries(Object.entries(route.answers).map(([status, answer]) => [status, describeAnswer(answer)])),
      ...describeProblems(problemsOf(route), route.problemSchemas),
    },
  };
}

function problemsOf(route: Route): ProblemCode[] {
  const access = route.access.kind === 'anyone' ? [] : accessProblems(route.access);
  if (route.limitedBy?.endsWith('address')) access.push('rate-limited');
  if (route.openedBy !== undefined) access.push('navigation-required');
  // On every route: a request with two hosts is refused, and any route can have a defect.
  return [...new Set<ProblemCode>([...access, ...route.problems, 'invalid-request', 'internal-error'])];
}

function accessProblems(access: SignedIn): ProblemCode[] {
  return [
    'unauthorized',
    'invalid-request',
    'token-expired',
    'invalid-token',
    'rate-limited',
    // After STALE_LIMIT_SECONDS without storage; a route that uses the storage answers this at once.
    'storage-unavailable',
    ...(access.anyOf.length > 0 ? (['forbidden'] as const) : []),
  ];
}

function describeAnswer({ description, content = {}, headers = {} }: AnswerDescription) {
  return {
    description,
    ...(Object.keys(headers).length > 0 && { headers: describeHeaders(headers) }),
    ...(Object.keys(content).length > 0 && { content: describeContent(content) }),
  };
}

function describeContent(content: Record<string, z.ZodType>) {
  return Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema }]));
}

/** Those with a description: see route.ts. */
function documentedHeaders({ shape }: z.ZodObject): z.ZodObject {
  return z.object(Object.fromEntries(Object.entries(shape).filter(([, { description }]) => description !== undefined)));
}

function describeHeaders(headers: Record<string, string>) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' as const } }]),
  );
}

/** One response for each status, with the codes it can carry as examples. */
function describeProblems(codes: ProblemCode[], schemas: Route['problemSchemas'] = {}) {
  const byStatus = Map.groupBy(codes, (code) => problemTable[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, sameStatus]) => {
      const headers = sameStatus.map(problemHeaders);
      return [
        status,
        {
          description: sameStatus.map((code) => `\`${code}\`: ${problemTable[code].detail}`).join('\n\n'),
          headers: describeHeaders({
            'X-Request-Id': 'The id of this request in the log',
            ...(headers.some((each) => 'WWW-Authenticate' in each) && { 'WWW-Authenticate': 'RFC 6750 challenge' }),
            ...(headers.some((each) => 'Retry-After' in each) && { 'Retry-After': 'Seconds to wait' }),
          }),
          content: {
            'application/problem+json': {
              schema: anyOf(sameStatus.map((code) => schemas[code] ?? ProblemDocument)),
              examples: Object.fromEntries(
                sameStatus.filter((code) => !(code in schemas)).map((code) => [code, { value: exampleOf(code) }]),
              ),
            },
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

function exampleOf(code: ProblemCode) {
  const { status, title, detail } = problemTable[code];
  const instance = 'urn:uuid:0d5f7c2e-6a51-4f0e-9c0e-2f6f0f4f1a77';
  return { type: `https://frontdesk.example/problems/${code}`, title, status, detail, instance };
}
