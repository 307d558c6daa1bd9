// A route: its path, who may call it, what it takes and answers, and the function that does it, in one declaration.
// The router, the checks and the OpenAPI document are all made from it.
import { z } from 'zod';
import type { Access, Principal, SignedIn } from './access.ts';
import type { Body } from './body.ts';
import type { OpenedBy } from './fetch-metadata.ts';
import { parametersOf, parse, type Refuse } from './parse.ts';
import { Problem, type ProblemFormat } from './problem.ts';
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

/** What a handler is called with: the parts it declares, as their schemas give them. Any other part is undefined. */
interface Call<A extends Access, P, F, Q, H, B> extends Pick<IncomingCall, 'requestId' | 'address'> {
  /** The edge calls a protected route with a principal only. */
  principal: A extends { kind: 'anyone' } ? undefined : Principal;
  params: P;
  found: F;
  query: Q;
  headers: H;
  body: B;
}

/** A request header in the contract. */
export const optionalHeader = (description: string) => z.string().optional().meta({ description });

/** A whole number in a query or a path, in digits only: `Number` would also accept `0x2`, `1e1`, `+2` and spaces. */
export function numberParameter(from: number, to: number) {
  const range = `must be a whole number from ${from} to ${to}`;
  const digits = /^(?:0|[1-9][0-9]*)$/;
  return z.preprocess(
    (text) => (typeof text === 'string' && digits.test(text) ? Number(text) : text),
    z.int(range).min(from, range).max(to, range),
  );
}

/** What the OpenAPI document groups the operations by. */
export const tags = {
  Lists: 'What forms are filled from, and whether stored values are still right.',
  'Keeping lists': 'For those who keep the lists: adding, changing, retiring, ordering, undoing, whole documents.',
  'Sign-in': 'From the identity provider to an access token, and back out.',
  Programs: 'For programs that are registered as callers, and for services that accept our access tokens.',
  Keys: 'What other services need to accept our access tokens.',
  Service: 'Health, the audit trail, this contract, and what each problem means.',
} as const;

interface RouteDescription<A extends Access> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
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
  answers: Record<number, AnswerDescription>;
  /** The problems it may answer with, beyond those its access brings. */
  problems: readonly ProblemCode[];
  /** How they are written; problem documents, if undefined. */
  problemFormat?: ProblemFormat;
  /** Of those, the ones whose documents have members of their own. */
  problemSchemas?: Partial<Record<ProblemCode, z.ZodType>>;
  /** For a GET that changes something: neither a HEAD nor a browser's prefetch reaches it. */
  actsOnGet?: boolean;
  /** For a GET that a page must not have a visitor's browser send: refused before it is counted or recorded. */
  openedBy?: OpenedBy;
  /** For a route that a cookie authorizes: only pages of ours, and of named origins, may call it. Refused before it is counted. */
  onlyFromOwnPages?: boolean;
  /**
   * What limits it: the caller's address as for sign-ins, or as for other calls; nothing at all. If undefined, calls
   * are limited by person where one is signed in.
   */
  limitedBy?: 'login-address' | 'api-address' | 'nothing';
  /** Called before a problem is answered: may add headers to it, or record it. */
  onProblem?: (problem: Problem, call: Pick<IncomingCall, 'search' | 'requestId' | 'address'>) => Promise<void>;
}

type Answer = Response | Promise<Response>;
type ObjectSchema<T> = z.ZodObject & z.ZodType<T>;

interface Inputs<P, Q, H> {
  /** A path whose parameters do not match is `not-found`. */
  params?: ObjectSchema<P>;
  query?: ObjectSchema<Q>;
  /** Those it reads. The contract leaves out those without a description: HTTP's own, and cookies. */
  headers?: ObjectSchema<H>;
}

interface RouteDeclaration<A extends Access, P, F, Q, H, B> extends RouteDescription<A>, Inputs<P, Q, H> {
  /** For a fault in the query or the headers; without it, `invalid-request`. */
  refuseQuery?: Refuse;
  refuseHeaders?: Refuse;
  /** For parameters that do not match, and where `find` finds nothing; without it, `not-found`. */
  refuseMissing?(params: IncomingCall['params']): Problem;
  /** What the path names. Where that is undefined, the answer is `not-found`, and no header or body is read. */
  find?(params: P): Promise<F | undefined>;
  body?: Body<B>;
  handle(call: Call<A, NoInfer<P>, NoInfer<F>, NoInfer<Q>, NoInfer<H>, NoInfer<B>>): Answer;
}

/** Parameters and headers as they came; the query is parsed only where there is one. */
export interface DirectCall<P, Q, H> {
  principal: Principal;
  params: { readonly [K in keyof P]: string };
  query: Q | undefined;
  headers: ReadableHeaders<keyof H & string>;
}

/** The headers of a request, of which only these may be read. */
export interface ReadableHeaders<N extends string> {
  get(name: N): string | null;
}

interface DirectDeclaration<A extends SignedIn, P, Q, H> extends RouteDescription<A>, Inputs<P, Q, H> {
  /** What `handle` does for a call without a query, for a path without parameters. It is called without a call object. */
  handlePlain?(headers: ReadableHeaders<keyof NoInfer<H> & string>): Answer;
  handle(call: DirectCall<NoInfer<P>, NoInfer<Q>, NoInfer<H>>): Answer;
}

/** A route whatever its types. */
export interface Route extends RouteDescription<Access>, Inputs<unknown, unknown, unknown> {
  body?: Body<unknown>;
  /** Served in the shortest way: for paths where every microsecond counts. */
  isDirect: boolean;
  handlePlain?: ((headers: Headers) => Answer) | undefined;
  handle(call: IncomingCall): Answer;
}

// TypeScript takes a method of a narrower call for one of any call. What is passed is what the schemas gave.
interface Untyped {
  find?(params: unknown): Promise<unknown>;
  handle(call: Call<Access, unknown, unknown, unknown, unknown, unknown>): Answer;
}
interface UntypedDirect {
  handle(call: DirectCall<unknown, unknown, Record<string, unknown>>): Answer;
}

export function route<A extends Access, P = undefined, F = undefined, Q = undefined, H = undefined, B = undefined>(
  declaration: RouteDeclaration<A, P, F, Q, H, B>,
): Route {
  expectParamsOf(declaration.path, declaration.params);
  const { params, query, headers, body, refuseQuery, refuseHeaders } = declaration;
  const { refuseMissing = () => new Problem('not-found') } = declaration;
  const { find, handle }: Untyped = declaration;
  return {
    ...declaration,
    isDirect: false,
    async handle(call) {
      const { requestId, address, principal } = call;
      const named = params && parse(params, call.params, () => refuseMissing(call.params));
      const asked = query && parse(query, parametersOf(call.search), refuseQuery);
      const found = await find?.(named);
      if (find !== undefined && found === undefined) throw refuseMissing(call.params);
      const noted = headers && parse(headers, valuesOf(call.headers, headers), refuseHeaders);
      const sent = await body?.read(call.request, principal);
      return handle({ requestId, address, principal, params: named, query: asked, found, headers: noted, body: sent });
    },
  };
}

export function directRoute<A extends SignedIn, P = undefined, Q = undefined, H = undefined>(
  declaration: DirectDeclaration<A, P, Q, H>,
): Route {
  expectParamsOf(declaration.path, declaration.params);
  const { query } = declaration;
  const { handle }: UntypedDirect = declaration;
  return {
    ...declaration,
    isDirect: true,
    handle({ principal, params, headers, search }) {
      // The edge authorizes a direct route before it calls it.
      const known = principal as Principal;
      const asked = query && search !== '' ? parse(query, parametersOf(search)) : undefined;
      return handle({ principal: known, params, headers, query: asked });
    },
  };
}

/** A path whose names are not those of its schema stops the start. */
function expectParamsOf(path: string, params: z.ZodObject | undefined): void {
  const named = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name);
  if (named.join() !== Object.keys(params?.shape ?? {}).join())
    throw new Error(`${path}: its parameters are declared otherwise`);
}

function valuesOf(headers: Headers, { shape }: z.ZodObject): Record<string, string | undefined> {
  return Object.fromEntries(Object.keys(shape).map((name) => [name, headers.get(name) ?? undefined]));
}
