// A route in one declaration: its path, who may call it, what it accepts and answers, and its function.
// The router, the checks and the OpenAPI document are all derived from it.
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

/** How a route that people open shows its refusals. */
export interface RefusalPage {
  /** Path from the page to the service's root. */
  root: string;
  /** Where the button leads, relative to the page. `search` is the query of the request. */
  again: (search: string) => string;
  /** The query parameter with the address to return to, and the setting that lists the allowed addresses. */
  address: { parameter: string; variable: string };
}

/** What a route is called with, before its own schemas have parsed it. */
export interface IncomingCall {
  request: Request;
  // Read once, because each access to a request's headers calls into the runtime.
  headers: Headers;
  /** The query with its question mark, or nothing. */
  search: string;
  /** When it arrived, in milliseconds since 1970. */
  at: number;
  requestId: string;
  /** The client's IP address. */
  address: string;
  params: Readonly<Record<string, string>>;
  /** Undefined until the edge has authorized the call. */
  principal: Principal | undefined;
}

/** What a handler is called with: the parts it declares, parsed by their schemas. Any other part is undefined. */
interface Call<A extends Access, P, F, Q, H, B> extends Pick<IncomingCall, 'requestId' | 'address'> {
  /** The edge never calls a protected route without a principal. */
  principal: A extends { kind: 'anyone' } ? undefined : Principal;
  params: P;
  found: F;
  query: Q;
  headers: H;
  body: B;
}

/** An optional request header, with its description in the contract. */
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

/** The groups of operations in the OpenAPI document. */
export const tags = {
  Lists: 'The choices that forms offer, and whether stored values are still valid.',
  'Keeping lists': 'Adding, changing, retiring and ordering items, undoing changes, and documents with whole lists.',
  'Sign-in': 'Signing in at the identity provider, access tokens, and signing out.',
  Programs: 'For programs that are registered as callers, and for services that accept our access tokens.',
  Keys: 'What other services need to accept our access tokens.',
  Service: 'Health, the audit trail, this contract, and what each problem means.',
} as const;

interface RouteDescription<A extends Access> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** In OpenAPI's syntax, such as `/employee/{list}`. */
  path: string;
  /**
   * Its name in the OpenAPI document, and in generated clients. Undefined for pages and their assets, which are not in the
   * document.
   */
  operationId: string | undefined;
  access: A;
  summary: string;
  description?: string;
  tag: keyof typeof tags;
  answers: Record<number, AnswerDescription>;
  /** The problems it may answer with, in addition to those its access implies. */
  problems: readonly ProblemCode[];
  /** The format of its problems; problem documents if undefined. */
  problemFormat?: ProblemFormat;
  /** For a GET that people open in a browser, and that shows them its problems as a page. */
  refusalPage?: RefusalPage;
  /** Schemas of the problems that have additional members. */
  problemSchemas?: Partial<Record<ProblemCode, z.ZodType>>;
  /** For a GET that changes something. HEAD requests and prefetches never reach it. */
  actsOnGet?: boolean;
  /** What may trigger this GET in a browser. Requests triggered in other ways are refused, and not counted or recorded. */
  openedBy?: OpenedBy;
  /** For a route authorized by a cookie. Only pages from our own and listed origins may call it. Other calls are not counted. */
  onlyFromOwnPages?: boolean;
  /**
   * Which limit applies to its calls: the limit per address for sign-ins, the limit per address for other calls, or none. If
   * undefined, the limit per signed-in person applies.
   */
  limitedBy?: 'login-address' | 'api-address' | 'nothing';
  /** Called before a problem is answered. May add headers to it, or record it. */
  onProblem?: (problem: Problem, call: Pick<IncomingCall, 'search' | 'requestId' | 'address'>) => Promise<void>;
}

type Answer = Response | Promise<Response>;
type ObjectSchema<T> = z.ZodObject & z.ZodType<T>;

interface Inputs<P, Q, H> {
  /** A path whose parameters do not match is `not-found`. */
  params?: ObjectSchema<P>;
  query?: ObjectSchema<Q>;
  /** The headers it reads. Those without a description, such as cookies, are not in the contract. */
  headers?: ObjectSchema<H>;
}

interface RouteDeclaration<A extends Access, P, F, Q, H, B> extends RouteDescription<A>, Inputs<P, Q, H> {
  /** The problem for a fault in the query or the headers; `invalid-request` by default. */
  refuseQuery?: Refuse;
  refuseHeaders?: Refuse;
  /** The problem if the parameters do not match, or `find` finds nothing; `not-found` by default. */
  refuseMissing?(params: IncomingCall['params']): Problem;
  /** Finds what the path names. If it finds nothing, the answer is `not-found`, and no header or body is read. */
  find?(params: P): Promise<F | undefined>;
  body?: Body<B>;
  handle(call: Call<A, NoInfer<P>, NoInfer<F>, NoInfer<Q>, NoInfer<H>, NoInfer<B>>): Answer;
}

/** Parameters and headers are not parsed; the query is parsed only if there is one. */
export interface DirectCall<P, Q, H> {
  principal: Principal;
  params: { readonly [K in keyof P]: string };
  query: Q | undefined;
  headers: ReadableHeaders<keyof H & string>;
}

/** The headers of a request, limited to the declared ones. */
export interface ReadableHeaders<N extends string> {
  get(name: N): string | null;
}

interface DirectDeclaration<A extends SignedIn, P, Q, H> extends RouteDescription<A>, Inputs<P, Q, H> {
  /** A faster `handle` for a path without parameters. Called if there is no query, so that no call object is created. */
  handlePlain?(headers: ReadableHeaders<keyof NoInfer<H> & string>): Answer;
  handle(call: DirectCall<NoInfer<P>, NoInfer<Q>, NoInfer<H>>): Answer;
}

/** A route of any type. */
export interface Route extends RouteDescription<Access>, Inputs<unknown, unknown, unknown> {
  body?: Body<unknown>;
  /** Served by direct-route.ts, for paths where every microsecond counts. */
  isDirect: boolean;
  handlePlain?: ((headers: Headers) => Answer) | undefined;
  handle(call: IncomingCall): Answer;
}

// TypeScript accepts a method that takes a narrower call here. At runtime, the schemas guarantee that it gets one.
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
      // The edge authorizes a direct route before calling it.
      const known = principal as Principal;
      const asked = query && search !== '' ? parse(query, parametersOf(search)) : undefined;
      return handle({ principal: known, params, headers, query: asked });
    },
  };
}

/** Throws at startup if the names in a path differ from those in its schema. */
function expectParamsOf(path: string, params: z.ZodObject | undefined): void {
  const named = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name);
  if (named.join() !== Object.keys(params?.shape ?? {}).join())
    throw new Error(`${path}: the parameters do not match their schema`);
}

function valuesOf(headers: Headers, { shape }: z.ZodObject): Record<string, string | undefined> {
  return Object.fromEntries(Object.keys(shape).map((name) => [name, headers.get(name) ?? undefined]));
}
