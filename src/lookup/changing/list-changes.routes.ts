// HTTP routes that change one list: its settings, its items and their order, and undo.
import type { z } from 'zod';
import { jsonBody } from '../../http/body.ts';
import { type AnswerDescription, type Route, route } from '../../http/route.ts';
import { refuseFaults } from '../rules/change.ts';
import { planGivenSettings, settingsFaults } from '../rules/list-settings.ts';
import { ItemParams, ListParams } from '../stored/fields.schema.ts';
import { stateAnswer, stateResponse } from '../stored/kept-list-answer.ts';
import { findVersion } from '../stored/list.queries.ts';
import { listNotFound } from '../stored/list-not-found.ts';
import {
  ItemChanges,
  ListAfterRetirement,
  NewItem,
  NewOrder,
  Restoration,
  Retirement,
  SettingsChanges,
  Undo,
  VersionConflict,
} from './list-changes.schema.ts';
import { type ListPlan, undoTo } from './list-changes.ts';
import { attempt, authorFrom, refuseVersion, VersionHeader } from './list-writing.ts';
import type { AdminRoutesOptions } from './lookup-admin.routes.ts';
import { findValues } from './parent.queries.ts';
import { parentsNamed } from './parents.ts';
import { planAdd, planChange, planOrder, planRestore, planRetire } from './planning.ts';

type Planned = Parameters<ListPlan>;

export function listChangesRoutes({
  rights,
  listChanges,
  reads,
  changed,
  now,
}: Omit<AdminRoutesOptions, 'publicUrl'>): Route[] {
  /** Adds what all routes that change a list have in common. */
  function changeRoute<P extends { list: string }, B extends { reason?: string | undefined }>(declaration: {
    method: 'POST' | 'PATCH' | 'PUT';
    path: string;
    operationId: string;
    summary: string;
    description: string;
    params: z.ZodObject & z.ZodType<P>;
    body: z.ZodType<B>;
    status?: 201;
    answer?: AnswerDescription;
    /** Additional members of the answer. */
    more?: (params: P) => Promise<object>;
    plan: (
      list: Planned[0],
      call: { params: P; body: B; mayName: (list: string) => boolean },
      tx: Planned[1],
    ) => ReturnType<ListPlan>;
  }): Route {
    const { body, status = 200, answer = stateAnswer, more, plan, ...described } = declaration;
    return route({
      ...described,
      access: rights.keepersOfList,
      tag: 'Keeping lists',
      find: ({ list }) => findVersion(reads, list),
      refuseMissing: listNotFound,
      headers: VersionHeader,
      refuseHeaders: refuseVersion,
      body: jsonBody(body),
      answers: { [status]: answer },
      problems: [
        'not-found',
        'already-exists',
        'version-required',
        'version-conflict',
        'body-too-large',
        'unsupported-type',
        'storage-unavailable',
      ],
      problemSchemas: { 'version-conflict': VersionConflict },
      async handle(call) {
        const { params, headers, principal } = call;
        const mayName = (list: string) => rights.mayName(principal, list);
        const author = authorFrom(call, call.body.reason, now(), { mayKeepAll: rights.mayKeepAll(principal), mayName });
        const planned: ListPlan = (list, tx) => plan(list, { ...call, mayName }, tx);
        const after = await attempt(params, () =>
          listChanges.change(params.list, headers['If-Match'], author, planned),
        );
        await changed(after);
        return stateResponse(after, status, mayName, await more?.(params));
      },
    });
  }

  return [
    changeRoute({
      method: 'PATCH',
      path: '/admin/lookups/{list}',
      operationId: 'changeListSettings',
      summary: 'Change the settings of a list',
      description:
        'Settings that are left out do not change. Null removes the description, or the readers or keepers of the list. `titles` and `descriptions` are merged by language, and null removes a language. An archived list is kept, but no longer served. The standard lists cannot be archived.',
      params: ListParams,
      body: SettingsChanges,
      plan(list, { body: { reason: _, ...wanted } }) {
        refuseFaults(settingsFaults(list, wanted));
        return planGivenSettings(list, wanted);
      },
    }),
    changeRoute({
      method: 'POST',
      path: '/admin/lookups/{list}/items',
      operationId: 'addItem',
      summary: 'Add an item',
      description:
        'The item is added at the end, unless `sortOrder` is given. A value can be used only once in a list, even if it is retired.',
      params: ListParams,
      body: NewItem,
      status: 201,
      plan: async (list, { body, mayName }, tx) =>
        planAdd(list, body, await findValues(tx, parentsNamed([body]), mayName)),
    }),
    changeRoute({
      method: 'PATCH',
      path: '/admin/lookups/{list}/items/{value}',
      operationId: 'changeItem',
      summary: 'Change an item; its value never changes',
      description:
        'Fields that are left out do not change. Null clears a date or an optional text. `labels`, `codes` and `parents` are merged by key, and null removes a key. `tags` are replaced.',
      params: ItemParams,
      body: ItemChanges,
      plan: async (list, { params, body, mayName }, tx) =>
        planChange(list, params.value, body, await findValues(tx, parentsNamed([body]), mayName)),
    }),
    changeRoute({
      method: 'POST',
      path: '/admin/lookups/{list}/items/{value}/retire',
      operationId: 'retireItem',
      summary: 'Retire an item, with or without a replacement',
      description:
        'The item is no longer offered, but stored values are still recognized. Items of other lists that have it as a parent are from now on offered when its replacement is chosen; `children` counts them.',
      params: ItemParams,
      body: Retirement,
      answer: { ...stateAnswer, content: { 'application/json': ListAfterRetirement } },
      more: async ({ list, value }) => ({ children: await listChanges.countChildren(list, value) }),
      plan: (list, { params, body }) => planRetire(list, params.value, body.replacedBy, now()),
    }),
    changeRoute({
      method: 'POST',
      path: '/admin/lookups/{list}/items/{value}/restore',
      operationId: 'restoreItem',
      summary: 'Restore a retired item',
      description:
        'The item becomes active again and loses its replacement. Refused while another item has one of its codes.',
      params: ItemParams,
      body: Restoration,
      plan: (list, { params }) => planRestore(list, params.value),
    }),
    changeRoute({
      method: 'PUT',
      path: '/admin/lookups/{list}/order',
      operationId: 'orderItems',
      summary: 'Set the order of the active items',
      description: '`values` must contain every active value exactly once. Sets the `sortOrder` of each item.',
      params: ListParams,
      body: NewOrder,
      plan: (list, { body }) => planOrder(list, body.values),
    }),
    changeRoute({
      method: 'POST',
      path: '/admin/lookups/{list}/undo',
      operationId: 'undoListChanges',
      summary: 'Restore an earlier version of a list, as a new version',
      description:
        'Items that were added after that version are retired, because nothing is deleted. Readers, keepers and `archived` do not change.',
      params: ListParams,
      body: Undo,
      plan: (list, { body }, tx) => undoTo(body.version, now())(list, tx),
    }),
  ];
}
