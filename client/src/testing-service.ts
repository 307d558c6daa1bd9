// A Frontdesk in memory: answers the requests of the real client as the service would.
import { languagesToTry } from './testing-language.ts';
import { finalValue, isValidOn, type TestItem, type TestTitle, today } from './testing-lists.ts';
import { problemAnswer, type TestProblem } from './testing-problems.ts';
import { faultsOf, itemsOf, labelled, readSelection } from './testing-selection.ts';
import type { CurrentUser, Fault, ValidateResult } from './types.ts';

export interface TestRequest {
  method: string;
  /** The path with its query. */
  path: string;
}

interface TestFault {
  /** `network`: no answer. */
  code: TestProblem | 'network';
  /** Only requests whose path begins with this text fail. By default, every request fails. */
  path: string;
  times: number;
  retryAfter: number | undefined;
}

interface ServiceOptions {
  baseUrl: string;
  lists: Readonly<Record<string, readonly TestItem[]>>;
  titles: Readonly<Record<string, TestTitle>>;
  /** Answers other requests of the application; undefined means 404. */
  answer: ((request: Request) => Response | undefined | Promise<Response | undefined>) | undefined;
}

const tokenSeconds = 3600;

export function createTestService({ baseUrl, lists: given, titles, answer }: ServiceOptions) {
  const lists = new Map(Object.entries(given).map(([name, items]) => [name, { items, version: 1 }]));
  const requests: TestRequest[] = [];
  const streams = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const tokens = new Set<string>();
  let faults: TestFault[] = [];
  let isOffline = false;
  /** The person with a session in this browser. */
  let person: CurrentUser | undefined;
  let changes = 0;
  let issued = 0;

  const refuse = (code: TestProblem, options = {}) => problemAnswer(baseUrl, code, options);

  function issueToken(): { accessToken: string; expirationInSeconds: number } {
    // The client reads only the subject.
    const accessToken = `e30.${btoa(JSON.stringify({ sub: person?.sub, jti: ++issued }))}.`;
    tokens.add(accessToken);
    return { accessToken, expirationInSeconds: tokenSeconds };
  }

  function endSession(): void {
    person = undefined;
    tokens.clear();
    for (const stream of streams) stream.close();
    streams.clear();
  }

  /** Answers with a document and its ETag, or with 304 if the request names this ETag. */
  function document(content: unknown, headers: Headers): Response {
    const text = JSON.stringify(content);
    const etag = `"${changes}-${[...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 2 ** 32, 7)}"`;
    if (headers.get('If-None-Match') === etag) return new Response(null, { status: 304, headers: { ETag: etag } });
    return new Response(text, { headers: { 'Content-Type': 'application/json', ETag: etag } });
  }

  function openStream(signal: AbortSignal | null | undefined): Response {
    let own: ReadableStreamDefaultController<Uint8Array>;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        own = controller;
        streams.add(controller);
        controller.enqueue(encode(`retry: 2000\nid: ${changes}\n\n`));
        signal?.addEventListener('abort', () => streams.delete(controller) && controller.error(signal.reason));
      },
      cancel: () => void streams.delete(own),
    });
    return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } });
  }

  const finalOf = (list: string, value: string) => finalValue(lists.get(list)?.items ?? [], value);

  function serveList(name: string, query: URLSearchParams, headers: Headers): Response {
    const wanted = decodeURIComponent(name);
    const list = lists.get(wanted);
    // Long or invisible names are not repeated.
    const detail = /^[\x21-\x7e]{1,64}$/.test(wanted) ? { detail: `There is no list "${wanted}".` } : {};
    if (list === undefined) return refuse('not-found', detail);
    const errors = faultsOf(query, lists);
    if (errors.length > 0) return refuse('invalid-request', { errors });
    return document(itemsOf(list.items, readSelection(query), languageIn(headers), finalOf), headers);
  }

  function judge(body: string, headers: Headers): Response {
    const stored = JSON.parse(body) as Stored;
    const errors = storedFaults(stored);
    if (errors.length > 0) return refuse('invalid-request', { errors });
    const results = judgeAll(stored, lists, languageIn(headers));
    return Response.json({ valid: results.every(({ status }) => status === 'active'), results });
  }

  function serveAll(headers: Headers): Response {
    const plain = readSelection(new URLSearchParams());
    const byName = [...lists].sort(([a], [b]) => (a < b ? -1 : 1));
    const all = byName.map(([name, { items }]) => [name, itemsOf(items, plain, languageIn(headers), finalOf)]);
    return document(Object.fromEntries(all), headers);
  }

  function serveTitles(headers: Headers): Response {
    const translate = <Plain>(plain: Plain, translations: Readonly<Record<string, string>> = {}) => {
      const [language = ''] = languagesToTry(languageIn(headers), Object.keys(translations));
      return translations[language] ?? plain;
    };
    const all = [...lists.keys()].sort().map((name) => {
      const own: TestTitle = titles[name] ?? { title: name };
      const description = translate(own.description ?? null, own.descriptions);
      return [name, { title: translate(own.title, own.titles), description }];
    });
    return document(Object.fromEntries(all), headers);
  }

  function serve(path: string, init: RequestInit): Response | undefined {
    const { pathname, searchParams } = new URL(path, 'http://localhost');
    const headers = new Headers(init.headers);
    if (pathname === '/auth/renew') return person === undefined ? refuse('session-ended') : Response.json(issueToken());
    const token = headers.get('Authorization')?.replace('Bearer ', '');
    if (token === undefined) return refuse('unauthorized');
    if (!tokens.has(token)) return refuse('invalid-token');
    if (pathname === '/auth/me') return Response.json(person);
    if (pathname === '/lookups') return serveAll(headers);
    if (pathname === '/lookups/titles') return serveTitles(headers);
    if (pathname === '/lookups/validate') return judge(String(init.body), headers);
    if (pathname === '/lookups/changes') return openStream(init.signal);
    if (pathname.startsWith('/employee/')) return serveList(pathname.slice('/employee/'.length), searchParams, headers);
    if (pathname !== '/auth/logout') return undefined;
    endSession();
    return new Response(null, { status: 204 });
  }

  async function send(url: string, init: RequestInit = {}): Promise<Response> {
    const { signal, ...rest } = init;
    const path = url.slice(baseUrl.length);
    requests.push({ method: init.method ?? 'GET', path });
    const fault = faults.find((each) => path.startsWith(each.path));
    if (fault !== undefined && --fault.times === 0) faults = faults.filter((each) => each !== fault);
    const code = fault?.code;
    if (isOffline || code === 'network') throw new TypeError('fetch failed');
    // The signal is left out, because Node's Request refuses the signal of a simulated browser.
    const response =
      (code && refuse(code, fault)) ??
      serve(path, init) ??
      (await answer?.(new Request(url, rest))) ??
      refuse('not-found');
    if (signal?.aborted) throw signal.reason;
    return response;
  }

  return {
    fetch: send as typeof fetch,
    requests,
    issueToken,
    endSession,
    beginSession(next: CurrentUser): void {
      person = next;
    },
    setOffline(next: boolean): void {
      isOffline = next;
    },
    fail(fault: TestFault): void {
      faults.push(fault);
    },
    setList(list: string, items: readonly TestItem[]): void {
      const version = (lists.get(list)?.version ?? 0) + 1;
      lists.set(list, { items, version });
      changes++;
      const event = `id: ${changes}\nevent: change\ndata: ${JSON.stringify({ list, version })}\n\n`;
      for (const stream of streams) stream.enqueue(encode(event));
    },
  };
}

const languageIn = (headers: Headers) => headers.get('Accept-Language') ?? '';
const encode = (text: string) => new TextEncoder().encode(text);

type Lists = ReadonlyMap<string, { items: readonly TestItem[] }>;
type Stored = Readonly<Record<string, string | string[]>>;
type Outcome = ValidateResult['results'][number];

const maxStored = 1000;

function storedFaults(stored: Stored): Fault[] {
  if (Object.values(stored).flat().length > maxStored) {
    return [{ field: '', message: `must have at most ${maxStored} values, in all lists together` }];
  }
  const isText = (values: unknown) => [values].flat().every((each) => typeof each === 'string');
  const wrong = Object.keys(stored).filter((list) => !isText(stored[list]));
  return wrong.map((field) => ({ field, message: 'has a type that is not allowed here' }));
}

function judgeAll(stored: Stored, lists: Lists, acceptLanguage: string): Outcome[] {
  return Object.entries(stored).flatMap(([list, values]) => {
    const items = lists.get(list)?.items ?? [];
    const { shown } = labelled(items, acceptLanguage);
    return [values].flat().map((value): Outcome => {
      const found = shown.find(({ item }) => item.value === value);
      if (found === undefined) {
        const status = lists.has(list) ? 'unknown' : 'unknown-list';
        return { list, value, status, label: null, replacedBy: null, retiredAt: null };
      }
      const last = finalValue(items, value);
      const { item, label } = found;
      const { retiredAt = null } = item;
      const replacedBy = last === value ? null : last;
      const status = statusOf(item, stored, lists);
      return { list, value, status, label, replacedBy, retiredAt };
    });
  });
}

function statusOf(item: TestItem, stored: Stored, lists: Lists): Outcome['status'] {
  const { isRetired, validFrom = '', parents = {} } = item;
  if (isRetired) return 'retired';
  if (today() < validFrom) return 'scheduled';
  if (!isValidOn(item, today())) return 'expired';
  const fits = Object.entries(parents).every(([list, fitting]) => {
    const final = (value: string) => finalValue(lists.get(list)?.items ?? [], value);
    const sent = Object.hasOwn(stored, list) ? [stored[list] ?? []].flat().map(final) : [];
    return sent.length === 0 || fitting.some((value) => sent.includes(final(value)));
  });
  return fits ? 'active' : 'not-with-parent';
}
