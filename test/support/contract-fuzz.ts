// Valid and invalid requests generated from the contract's own schemas, for every operation and each kind of person.
// Whatever is sent, the contract must document the answer.
import { KeptList } from '../../src/lookup/stored/kept-list.schema.ts';
import { Browser } from './browser.ts';
import { loadContract, type NamedOperation, type Parameter } from './contract.ts';
import { createRandom } from './random.ts';
import { makeValue, oddities, spoil } from './schema-values.ts';

interface FuzzOptions {
  url: string;
  seed: number;
  requests: number;
}

export interface FuzzReport {
  faults: string[];
  /** How often each operation returned each status, such as `changeItem 200`. */
  counts: Map<string, number>;
}

/** `undefined` stands for nobody being signed in. One person keeps the lists, and one reads the audit. */
const people = ['E-1001', 'E-1002', 'E-1003', 'E-1004', 'E-1005', 'E-1006', undefined];
const keeper = 'E-1001';
const auditor = 'E-1006';

/** Whether the operation only reads lists. The auditor may do that, and so may the keeper. */
const isSeeing = ({ path, method }: NamedOperation) => /^\/admin\/(lookups|search)/.test(path) && method === 'GET';

/** The person with the required role; null if nobody has it, undefined if no role is required. */
function permittedPerson(path: string): string | null | undefined {
  if (path === '/admin/audit') return auditor;
  if (path === '/auth/introspect') return null;
  if (path === '/admin/permissions') return undefined;
  return path.startsWith('/admin/') ? keeper : undefined;
}

export async function fuzzContract({ url, seed, requests }: FuzzOptions): Promise<FuzzReport> {
  const random = createRandom(seed);
  const { document, operations, findFault } = await loadContract(url);
  const { schemas } = document.components;
  const tokens = new Map<string, string>();
  const cookies = new Map<string, string>();
  for (const person of people) {
    if (person === undefined) continue;
    const { token, cookie } = await signIn(person);
    tokens.set(person, token);
    cookies.set(person, cookie);
  }
  /** The lists according to the last answers. */
  const lists = new Map<string, { version: number; items: { value: string; status: string }[] }>();
  const names = ['position', 'fuzz', 'unknown', 'ACCOUNTANT', 'CLERK', 'A', 'de', 'pt-BR'];
  const faults: string[] = [];
  const counts = new Map<string, number>();

  async function signIn(person: string): Promise<{ token: string; cookie: string }> {
    const browser = new Browser();
    const { response } = await browser.follow(`${url}/auth/login?login_hint=${person}`);
    const session = [...browser.cookies.values()].find(({ name }) => name === 'frontdesk_session');
    const { accessToken: token } = (await response.json()) as { accessToken: string };
    return { token, cookie: `frontdesk_session=${session?.value}` };
  }

  /** Returns the values to send. An empty array leaves the parameter out. */
  function makeParameter({ name, required, schema }: Parameter, isWrong: boolean, list: string): string[] {
    if (name === 'Origin' && !isWrong) return [url];
    if (name === 'If-Match')
      return [random.chance(0.75) ? `"${lists.get(list)?.version ?? 1}"` : random.pick(['W/"999"', '"999"', '*', 'x'])];
    if (required !== true && random.chance(0.7)) return [];
    const value = makeValue(schema, schemas, names, random);
    const made = isWrong && random.chance(0.5) ? spoil(value, random) : value;
    return [made].flat().map((each) => (typeof each === 'object' ? JSON.stringify(each) : String(each)));
  }

  function makeBody({ operationId, requestBody }: NamedOperation, isWrong: boolean, list: string) {
    if (operationId === 'orderItems' && !isWrong) {
      // An order must name every active value. The schema cannot express this, and random values would never match.
      const values = lists
        .get(list)
        ?.items.filter(({ status }) => status === 'active')
        .map(({ value }) => value);
      return { type: 'application/json', body: JSON.stringify({ values: (values ?? []).toReversed() }) };
    }
    if (requestBody === undefined || (isWrong && random.chance(0.05))) return undefined;
    if (requestBody.required !== true && random.chance(0.2)) return undefined;
    const type = random.pick(Object.keys(requestBody.content));
    // For YAML and CSV, the schema says only that the body is text. A YAML body is made from the schema of JSON, which is valid
    // YAML, and a CSV body from rows of values.
    const schema = requestBody.content[type === 'application/yaml' ? 'application/json' : type]?.schema ?? {};
    const value = makeValue(schema, schemas, names, random);
    const made = isWrong ? spoil(value, random) : value;
    if (type === 'text/csv') return { type, body: `list,value,label\nfuzz,${random.pick(names)},${made}\n` };
    if (type.endsWith('urlencoded')) return { type, body: String(new URLSearchParams(Object.entries(made ?? {}))) };
    const text = JSON.stringify(made);
    const body = isWrong && random.chance(0.1) ? random.pick([text.slice(1), '', '{', `${text}x`]) : text;
    return { type: isWrong && random.chance(0.05) ? random.pick(['text/plain', 'x', '']) : type, body };
  }

  function makeRequest(operation: NamedOperation) {
    const isWrong = random.chance(0.5);
    const list = random.pick(['position', 'fuzz', ...lists.keys()]);
    const pathValue = (name: string) => {
      if (name === 'list' && !isWrong) return list;
      if (name === 'version' && !isWrong) return `${1 + random.below(lists.get(list)?.version ?? 1)}`;
      // The schema cannot say which values a list has, and random values seldom match.
      const known = lists.get(list)?.items ?? [];
      if (name === 'value' && !isWrong && known.length > 0 && random.chance(0.8)) return random.pick(known).value;
      const parameter = operation.parameters?.find((each) => each.name === name);
      const value = makeValue(parameter?.schema ?? {}, schemas, names, random);
      return isWrong && random.chance(0.3) ? `${random.pick(oddities.filter((each) => `${each}` !== ''))}` : `${value}`;
    };
    // Half of a surrogate pair cannot be in a URL.
    const encode = (text: string) => encodeURIComponent(text.toWellFormed());
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(pathValue(name)));
    const pairs = (operation.parameters ?? [])
      .filter((each) => each.in === 'query')
      .flatMap((each) => makeParameter(each, isWrong, list).map((value) => `${each.name}=${encode(value)}`));
    // The HTTP server itself refuses a URL of more than 16 KiB, before any operation.
    const query = pairs.join('&').length > 12_000 ? pairs.slice(0, 4) : pairs;
    const headers = new Headers();
    for (const each of (operation.parameters ?? []).filter((one) => one.in === 'header')) {
      const [value] = makeParameter(each, isWrong, list);
      if (value !== undefined && /^[\x20-\x7e]*$/.test(value)) headers.set(each.name, value);
    }
    const sent = makeBody(operation, isWrong, list);
    if (sent !== undefined) headers.set('content-type', sent.type);
    const body = sent === undefined ? {} : { body: sent.body };
    return { target: query.length === 0 ? path : `${path}?${query.join('&')}`, headers, ...body };
  }

  function judge(operation: NamedOperation, person: string | undefined, response: Response, body: string): string[] {
    const { status } = response;
    const permitted = permittedPerson(operation.path);
    const alsoPermitted = isSeeing(operation) ? auditor : permitted;
    const isForbidden = permitted !== undefined && permitted !== person && alsoPermitted !== person;
    const isOpen = operation.security.length === 0;
    // Authentication and permission are checked before anything else about the request.
    const due = isOpen ? undefined : person === undefined ? 401 : isForbidden ? 403 : undefined;
    return [
      ...(status >= 500 ? [`${status}`] : []),
      ...(due !== undefined && status !== due ? [`${status} and not ${due}`] : []),
      ...[findFault(operation.name, response, body)].filter((fault) => fault !== undefined),
    ];
  }

  function learn(operation: NamedOperation, { status }: Response, body: string): void {
    if (status > 201 || operation.tags[0] !== 'Keeping lists') return;
    // A past version of a list says nothing about its current state.
    if (operation.operationId === 'getListVersion') return;
    const state = KeptList.safeParse(body.startsWith('{') ? JSON.parse(body) : undefined);
    if (state.success) lists.set(state.data.list, state.data);
  }

  for (let count = 0; count < requests; count++) {
    const operation = random.pick(operations);
    // Every second request is from a person who has the permission.
    const person = random.chance(0.5) ? (permittedPerson(operation.path) ?? keeper) : random.pick(people);
    const { target, headers, body } = makeRequest(operation);
    const endsSession = operation.operationId === 'endSession' && person !== undefined;
    // A request that ends its session is sent in a session of its own, because the others are still needed.
    const token = endsSession ? (await signIn(person)).token : tokens.get(person ?? '');
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    const cookie = cookies.get(person ?? '');
    if (operation.operationId === 'renewSession' && cookie !== undefined) headers.set('cookie', cookie);
    const { method, name, operationId } = operation;
    const response = await fetch(url + target, {
      method,
      headers,
      redirect: 'manual',
      ...(body !== undefined && { body }),
    });
    // The stream of changes does not end by itself.
    const isStream = response.headers.get('content-type') === 'text/event-stream';
    if (isStream) await response.body?.cancel();
    const text = isStream ? ': nothing' : await response.text();
    const key = `${operationId} ${response.status}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    for (const fault of judge(operation, person, response, text)) {
      const sent = `${name} (${target.slice(0, 200)}) as ${person ?? 'nobody'}: ${String(body).slice(0, 300)}`;
      if (faults.length < 20) faults.push(`${fault}\n  ${sent}\n  ${text.slice(0, 300)}`);
    }
    learn(operation, response, text);
  }
  return { faults, counts };
}
