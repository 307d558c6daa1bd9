// Calls the service's API through the client, and loads the files of the console. The types are imported from the
// service.
import type { z } from 'zod';
import { type Frontdesk, FrontdeskError, type OwnSession } from '../../client/src/index.ts';
import type { AuditRow, AuditType } from '../../src/audit/audit.schema.ts';
import type { KnownRoles, Permissions } from '../../src/http/permissions.routes.ts';
import type {
  ItemChanges,
  NewItem,
  NewList,
  Retirement,
  SettingsChanges,
} from '../../src/lookup/changing/list-changes.schema.ts';
import type { DocumentItem, LookupDocument, Plan } from '../../src/lookup/changing/lookup-document.schema.ts';
import type { HistoryEntry, LastChanges } from '../../src/lookup/history/list-history.schema.ts';
import type { SearchResult } from '../../src/lookup/reading/list-search.schema.ts';
import type { ListSummary } from '../../src/lookup/reading/list-summaries.schema.ts';
import type { KeptItem } from '../../src/lookup/rules/item.ts';
import type { KeptList, ListSettings } from '../../src/lookup/rules/list.ts';

export type {
  AuditRow,
  AuditType,
  DocumentItem,
  HistoryEntry,
  ItemChanges,
  KeptItem,
  KeptList,
  LastChanges,
  ListSettings,
  ListSummary,
  LookupDocument,
  NewItem,
  Permissions,
  Plan,
  SearchResult,
};

type NewListRequest = z.input<typeof NewList>;
export type SettingsRequest = z.input<typeof SettingsChanges>;
type RetirementRequest = z.input<typeof Retirement>;
/** If `value` is null, the list's settings changed. */
export type HistoryChange = HistoryEntry['changes'][number];
export type LaterChange = NonNullable<HistoryEntry['laterChange']>;
export type PlanChange = Plan['changes'][number];
export type DocumentBody =
  | LookupDocument
  | { type: 'text/csv' | 'application/yaml' | 'application/json'; text: string };

interface HistoryOptions {
  before?: number | undefined;
  limit?: number;
  /** Only versions that changed this value, each with only its change to this value. */
  value?: string | undefined;
  /** Words of a name, or an employee ID. */
  by?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  changesFrom?: number;
}

interface AuditOptions {
  since?: string | undefined;
  until?: string | undefined;
  type?: string | undefined;
  person?: string | undefined;
  name?: string | undefined;
  list?: string | undefined;
  q?: string | undefined;
  limit?: number | string;
  after?: string;
  before?: string;
}

export interface AuditRowsPage {
  rows: AuditRow[];
  /** The `after` with which to request newer rows. */
  next: string;
  /** The `before` with which to request older rows; undefined if there are none. */
  older: string | undefined;
}

/** The number of the row in the URL of the link with this `rel`. */
function placeIn(link: string, rel: 'next' | 'prev'): string | undefined {
  return new RegExp(`[?&](?:after|before)=(\\d+)[^>]*>; rel="${rel}"`).exec(link)?.[1];
}

/** Builds a path with URL-encoded names. */
const at = (texts: TemplateStringsArray, ...names: string[]) =>
  String.raw({ raw: texts }, ...names.map(encodeURIComponent));

function queryOf(parameters: object): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(Object.fromEntries(given.map(([name, value]) => [name, String(value)])))}`;
}

export type Api = ReturnType<typeof createApi>;

export function createApi(request: Frontdesk['request']) {
  async function read<T>(path: string, signal?: AbortSignal): Promise<T> {
    return (await request(path, signal === undefined ? {} : { signal })).json() as Promise<T>;
  }

  /** `version` is the version that the change is based on, so that newer changes are not overwritten. */
  async function write(method: string, path: string, body: object, version?: number): Promise<KeptList> {
    const headers: Record<string, string> = { 'Content-Type': 'application/json' };
    if (version !== undefined) headers['If-Match'] = `"${version}"`;
    const response = await request(`/admin/lookups${path}`, { method, headers, body: JSON.stringify(body) });
    return response.json() as Promise<KeptList>;
  }

  async function send(action: 'plan' | 'apply', document: DocumentBody, query: object): Promise<Plan> {
    const { type, text } = 'text' in document ? document : { type: 'application/json', text: JSON.stringify(document) };
    const response = await request(`/admin/lookups/${action}${queryOf(query)}`, {
      method: 'POST',
      headers: { 'Content-Type': type },
      body: text,
    });
    return response.json() as Promise<Plan>;
  }

  return {
    permissions: () => read<Permissions>('/admin/permissions'),
    knownRoles: (signal?: AbortSignal) => read<KnownRoles>('/admin/roles', signal),
    lists: (signal?: AbortSignal) => read<ListSummary[]>('/admin/lookups', signal),
    list: (list: string, signal?: AbortSignal) => read<KeptList>(at`/admin/lookups/${list}`, signal),
    createList: (body: NewListRequest) => write('POST', '', body),
    changeSettings: (list: string, version: number, changes: SettingsRequest) =>
      write('PATCH', at`/${list}`, changes, version),
    addItem: (list: string, version: number, item: NewItem) => write('POST', at`/${list}/items`, item, version),
    changeItem: (list: string, version: number, value: string, changes: ItemChanges) =>
      write('PATCH', at`/${list}/items/${value}`, changes, version),
    retireItem: (list: string, version: number, value: string, body: RetirementRequest) =>
      write('POST', at`/${list}/items/${value}/retire`, body, version),
    restoreItem: (list: string, version: number, value: string, reason?: string) =>
      write('POST', at`/${list}/items/${value}/restore`, { ...(reason !== undefined && { reason }) }, version),
    orderItems: (list: string, version: number, values: readonly string[]) =>
      write('PUT', at`/${list}/order`, { values }, version),
    /** Restores version `to` of the list, which creates a new version. */
    undo: (list: string, version: number, to: number, reason?: string) =>
      write('POST', at`/${list}/undo`, { version: to, ...(reason !== undefined && { reason }) }, version),
    history: (list: string, options: HistoryOptions = {}, signal?: AbortSignal) =>
      read<HistoryEntry[]>(`${at`/admin/lookups/${list}/history`}${queryOf(options)}`, signal),
    lastChanges: (list: string, signal?: AbortSignal) =>
      read<LastChanges>(at`/admin/lookups/${list}/last-changes`, signal),
    listAt: (list: string, version: number, signal?: AbortSignal) =>
      read<KeptList>(at`/admin/lookups/${list}/versions/${String(version)}`, signal),
    search: (q: string, signal?: AbortSignal) => read<SearchResult>(`/admin/search${queryOf({ q })}`, signal),
    plan: (document: DocumentBody, options: { mirror?: boolean } = {}) => send('plan', document, options),
    apply: (document: DocumentBody, options: { reason?: string | undefined; mirror?: boolean } = {}) =>
      send('apply', document, options),
    async exportList(list: string, type: 'text/csv' | 'application/yaml'): Promise<Blob> {
      return (await request(at`/admin/lookups/${list}`, { headers: { Accept: type } })).blob();
    },
    sessions: (signal?: AbortSignal) => read<OwnSession[]>('/auth/sessions', signal),
    endSession: async (id: string) => void (await request(at`/auth/sessions/${id}`, { method: 'DELETE' })),
    async audit(options: AuditOptions, signal?: AbortSignal): Promise<AuditRowsPage> {
      const response = await request(`/admin/audit${queryOf(options)}`, signal === undefined ? {} : { signal });
      const links = (response.headers.get('link') ?? '').split(', ');
      const placeOf = (rel: 'next' | 'prev') =>
        links.map((link) => placeIn(link, rel)).find((each) => each !== undefined);
      const rows = (await response.json()) as AuditRow[];
      return { rows, next: placeOf('next') ?? options.after ?? '0', older: placeOf('prev') };
    },
  };
}

declare global {
  /** Set by main.js: each part and worker with all the files that it imports. Missing if the code is not bundled. */
  var consoleFileImports: Record<string, readonly string[]> | undefined;
}

/** The file no longer exists, because the service has been updated since the page was loaded. */
export class PartReplaced extends Error {}

/** Time after which a file counts as unreachable. */
const maxLoadMs = 60_000;

/**
 * Loads a file of the console and all its imports into the browser's cache. Browsers may remember that an import failed
 * and never request the file again, so a file is imported only after this has succeeded.
 */
export async function fetchConsoleFile(
  file: string,
  get: (url: string, init: RequestInit) => Promise<Response> = fetch,
) {
  const files = [file, ...(globalThis.consoleFileImports?.[file] ?? [])];
  const signal = AbortSignal.timeout(maxLoadMs);
  const load = async (name: string) => {
    const response = await get(`console/${name}`, { signal });
    await response.arrayBuffer();
    return response.status;
  };
  const statuses = await Promise.all(files.map(load)).catch((cause: unknown) => {
    throw new FrontdeskError({}, { cause });
  });
  if (statuses.includes(404)) throw new PartReplaced(file);
  // For example, the answer of a proxy that cannot reach the service.
  if (statuses.some((status) => status !== 200)) throw new FrontdeskError({});
}
