// Changes lists over HTTP, for tests that are about something else.
import { bearer, type Frontdesk, startFrontdesk } from './frontdesk.ts';

export interface Item {
  id: number;
  value: string;
  label: string;
  labels: Record<string, string>;
  sortOrder: number;
  status: string;
  validFrom: string | null;
  validTo: string | null;
  replacedBy: string | null;
  retiredAt: string | null;
  codes: Record<string, string>;
  tags: string[];
  description: string | null;
  parents: Record<string, string[]>;
}

export interface List {
  list: string;
  title: string;
  version: number;
  items: Item[];
}

export interface Step {
  version: number;
  by: string;
  byName: string | null;
  reason: string | null;
  restoredVersion?: number;
  changes: StepChange[];
  changesLeftOut?: number;
  laterChange?: Pick<Step, 'version' | 'by' | 'byName'> & { at: string; change: StepChange };
}

interface StepChange {
  value: string | null;
  before: Item | null;
  after: Item | null;
}

export type ListKeeping = ReturnType<typeof listKeeping>;

/** Starts a Frontdesk, and signs in a person who may change its lists. */
export async function startListKeeping() {
  const desk = await startFrontdesk();
  const token = await desk.signIn();
  return { ...listKeeping(desk, token), desk, token, stop: () => desk.stop() };
}

/** Sends the requests of a person who may change lists. */
export function listKeeping(desk: Frontdesk, token: string) {
  /** Returns the answer, whatever it is. */
  function send(method: string, path: string, body: unknown, version?: number): Promise<Response> {
    const headers = {
      ...bearer(token),
      'content-type': 'application/json',
      ...(version !== undefined && { 'if-match': `"${version}"` }),
    };
    return fetch(`${desk.url}/admin/lookups${path}`, { method, headers, body: JSON.stringify(body) });
  }

  const get = (path: string, headers: Record<string, string> = {}) => desk.get(path, { ...bearer(token), ...headers });

  const read = async (list: string) => (await (await get(`/admin/lookups/${list}`)).json()) as List;

  /** Makes a change to the current version. It must succeed. */
  async function change(method: string, list: string, path: string, body: unknown): Promise<List> {
    const response = await send(method, `/${list}${path}`, body, (await read(list)).version);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as List;
  }

  /** Applies a document with one list. It must succeed. */
  async function apply(list: string, items: object[]): Promise<void> {
    const response = await send('POST', '/apply', { lists: { [list]: { items } } });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  }

  /** Sends a document as text. `path` is `plan` or `apply`, optionally with a query. */
  const sendText = (path: string, type: string, body: string | Uint8Array<ArrayBuffer>) =>
    fetch(`${desk.url}/admin/lookups/${path}`, {
      method: 'POST',
      headers: { ...bearer(token), 'content-type': type },
      body,
    });

  const history = async (list: string, query = '') =>
    (await (await get(`/admin/lookups/${list}/history${query}`)).json()) as Step[];

  return { send, sendText, get, read, change, apply, history };
}
