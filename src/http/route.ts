// A route: its path, who may call it, what it takes and answers, and the function that does it, in one declaration.
// The router, the checks and the OpenAPI document are all made from it.
import type { z } from '@hono/zod-openapi';
import type { Access, Principal } from './access.ts';
import { faultsIn, invalidRequest } from './body.ts';
import { plainTexts } from './fault-text.ts';
import type { OpenedBy } from './fetch-metadata.ts';
import type { Problem } from './problem.ts';
import type { ProblemCode } from './problem-table.ts';

export interface AnswerDescription {
  description: string;
  /** Content type to schema; none for an answer without a body. */
  content?: Record<string, z.ZodType>;
  /** Header name to meaning. */
  headers?: Record<string, string>;
}

/** What a route is called with, before its own schemas have parsed it. */
export interface IncomingCall {
  request: Request;
  // Read from the request once: each access to its headers calls into the runtime.
  headers: Headers;
  /** The query with its question mark, or nothing. */
  search: string;
  /** When it came, in milliseconds since 1970. */
  at: number;
  requestId: string;
  /** Where it came from. */
  address: string;
  params: Readonly<Record<string, string>>;
  /** Undefined until the edge has authorized the call. */
  principal: Principal | undefined;
}

interface Call<A extends Access, Q extends z.ZodObject | undefined> extends Omit<IncomingCall, 'principal'> {
  /** The edge calls a protected route with a principal only. */
  principal: A extends { kind: 'anyone' } ? undefined : Principal;
  query: Q extends z.ZodObject ? z.output<Q> : undefined;
}

/** What the OpenAPI document groups the operations by. */
export const tags = {
  Lists: 'What forms are filled from, and whether stored values are still right.',
  'Keeping lists': 'For those who keep the lists: adding, changing, retiring, ordering, undoing, whole documents.',
  'Sign-in': 'From the identity provider to an access token, and back out.',
  Keys: 'What other services need to accept our access tokens.',
  Service: 'Health, the audit trail, this contract, and what each problem means.',
} as const;

interface RouteDescription<A extends Access> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** In OpenAPI's form: `/employee/{list}`. */
  path: string;
  /**
   * Its name in the OpenAPI document, and of the function in a generated client. Undefined: left out of the document, as
   * pages and their assets are.
   */
  operationId: string | undefined;
  access: A;
  summary: string;
  description?: string;
  tag: keyof typeof tags;
  params?: z.ZodObject;
  /** For the document only: query parameters the route reads itself. */
  documentedQuery?: z.ZodObject;
  /** Optional request headers: name to meaning. */
  requestHeaders?: Record<string, string>;
  /** Required request headers: name to meaning. */
  requiredHeaders?: Record<string, string>;
  /** Content type to schema, for the document: the route reads its body itself. */
  body?: Record<string, z.ZodType>;
  /** For the document: no body means the same as an empty object. */
  isBodyOptional?: boolean;
  answers: Record<number, AnswerDescription>;
  /** The problems it may answer with, beyond those its access brings. */
  problems: readonly ProblemCode[];
  /** Of those, the ones whose documents have members of their own. */
  problemSchemas?: Partial<Record<ProblemCode, z.ZodType>>;
  /** Served by the HTTP server's own router: for paths where every microsecond counts. */
  direct?: boolean;
  /** For a GET that changes something: neither a HEAD nor a browser's prefetch reaches it. */
  actsOnGet?: boolean;
  /** For a GET that a page must not have a visitor's browser send: refused before it is counted or recorded. */
  openedBy?: OpenedBy;
  /**
   * What limits it: the caller's address as for sign-ins, or as for other calls; nothing at all. If undefined, calls
   * are limited by person where one is signed in.
   */
  limitedBy?: 'login-address' | 'api-address' | 'nothing';
  /** Called before a problem is answered: may add headers to it, or record it. */
  onProblem?: (problem: Problem, call: Pick<IncomingCall, 'search' | 'requestId' | 'address'>) => Promise<void>;
}

export interface Route extends RouteDescription<Access> {
  query: z.ZodObject | undefined;
  handle(call: IncomingCall): Response | Promise<Response>;
}

interface RouteDeclaration<A extends Access, Q extends z.ZodObject | undefined> extends RouteDescription<A> {
  query?: Q;
  /** Names a fault in the query; without it, `invalid-request`. */
  nameQueryFault?: (faults: z.ZodError) => ProblemCode;
  handle(call: Call<A, Q>): Response | Promise<Response>;
}

export function route<A extends Access, Q extends z.ZodObject | undefined = undefined>(
  declaration: RouteDeclaration<A, Q>,
): Route {
  const { handle, query, nameQueryFault, ...description } = declaration;
  const act = handle as unknown as (call: IncomingCall & { query?: unknown }) => Response | Promise<Response>;
  if (query === undefined) return { ...description, query, handle: act };
  return {
    ...description,
    query,
    handle: (call) => act({ ...call, query: readQuery(call.search, query, nameQueryFault) }),
  };
}

function readQuery<Q extends z.ZodObject>(
  search: string,
  schema: Q,
  nameFault: (faults: z.ZodError) => ProblemCode = () => 'invalid-request',
): z.output<Q> {
  const parsed = schema.safeParse(parametersOf(search), plainTexts);
  if (!parsed.success) throw invalidRequest(faultsIn(parsed.error), nameFault(parsed.error));
  return parsed.data;
}

/** A parameter given once is a text, one given more often an array of texts. */
function parametersOf(search: string): Record<string, string | string[]> {
  const parameters = new URLSearchParams(search);
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const values = parameters.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
}
