// The service's API for managing lists, called through the client.
import type { Frontdesk } from '../../client/src/index.ts';

export interface KeptItem {
  id: number;
  value: string;
  label: string;
  labels: Record<string, string>;
  sortOrder: number;
  status: 'active' | 'retired';
  validFrom: string | null;
  validTo: string | null;
  replacedBy: string | null;
  retiredAt: string | null;
}

export interface KeptList {
  list: string;
  title: string;
  version: number;
  items: KeptItem[];
}

export interface ListSummary {
  list: string;
  title: string;
  version: number;
  active: number;
  retired: number;
  updatedAt: string;
}

type State = Partial<Omit<KeptItem, 'id'>> & { title?: string };

export interface Step {
  version: number;
  at: string;
  by: string;
  reason: string | null;
  /** Of an undo: the version whose state it restored. */
  restoredVersion?: number;
  changes: { value: string | null; before: State | null; after: State | null }[];
  changesLeftOut?: number;
}

export interface PlannedChange {
  list: string;
  value: string | null;
  kind: 'list' | 'title' | 'settings' | 'add' | 'change' | 'retire' | 'restore';
  before: State | null;
  after: State | null;
}

type ItemDetails = Partial<Pick<KeptItem, 'label' | 'validFrom' | 'validTo'>> & { reason?: string };
/** Only the translations that change: null removes one. */
export type ItemChanges = ItemDetails & { labels?: Record<string, string | null> };
export type NewItem = ItemDetails & { value: string; label: string; labels?: Record<string, string> };

/** A path in which every name is encoded. */
const at = (texts: TemplateStringsArray, ...names: string[]) =>
  String.raw({ raw: texts }, ...names.map(encodeURIComponent));

export type Admin = ReturnType<typeof createAdmin>;

export function createAdmin(request: Frontdesk['request']) {
  async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
    return (await request(`/admin/lookups${path}`, init)).json() as Promise<T>;
  }

  /** A change names the version it was made from, so that it does not overwrite what others changed since. */
  function write(method: string, path: string, body: object, version?: number): Promise<KeptList> {
    const headers: Record<string, string> = { 'Content-Type': 'application/json' };
    if (version !== undefined) headers['If-Match'] = `"${version}"`;
    return ask(path, { method, headers, body: JSON.stringify(body) });
  }

  function document<T>(action: string, file: File, reason: string): Promise<T> {
    const types: Record<string, string> = { csv: 'text/csv', json: 'application/json' };
    const type = types[file.name.split('.').pop()?.toLowerCase() ?? ''] ?? 'application/yaml';
    const query = reason === '' ? '' : `?reason=${encodeURIComponent(reason)}`;
    return ask(`/${action}${query}`, { method: 'POST', headers: { 'Content-Type': type }, body: file });
  }

  return {
    lists: () => ask<ListSummary[]>(''),
    list: (list: string) => ask<KeptList>(at`/${list}`),
    create: (list: string, title: string) => write('POST', '', { list, title }),
    add: (list: string, version: number, item: NewItem) => write('POST', at`/${list}/items`, item, version),
    change: (list: string, version: number, value: string, changes: ItemChanges) =>
      write('PATCH', at`/${list}/items/${value}`, changes, version),
    retire: (list: string, version: number, value: string, body: { replacedBy?: string; reason?: string }) =>
      write('POST', at`/${list}/items/${value}/retire`, body, version),
    restore: (list: string, version: number, value: string) =>
      write('POST', at`/${list}/items/${value}/restore`, {}, version),
    reorder: (list: string, version: number, values: string[]) => write('PUT', at`/${list}/order`, { values }, version),
    undo: (list: string, version: number, to: number) => write('POST', at`/${list}/undo`, { version: to }, version),
    history: (list: string, before?: number) =>
      ask<Step[]>(`${at`/${list}/history`}?limit=20${before === undefined ? '' : `&before=${before}`}`),
    plan: (file: File) => document<{ changes: PlannedChange[] }>('plan', file, ''),
    apply: (file: File, reason: string) => document<{ changes: PlannedChange[] }>('apply', file, reason),
    /** The list as a file. */
    async export(list: string, type: 'text/csv' | 'application/yaml'): Promise<Blob> {
      return (await request(at`/admin/lookups/${list}`, { headers: { Accept: type } })).blob();
    },
  };
}
