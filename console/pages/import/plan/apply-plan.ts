// Applies an import plan, and can undo it.
import type { QueryClient } from '@tanstack/react-query';
import { listChanged } from '../../../lists/queries.ts';
import { isSame } from '../../../lists/saving/merge.ts';
import { undoChange } from '../../../lists/saving/save-list.ts';
import { ownVersions, undoOrShowError } from '../../../lists/saving/use-save-list.ts';
import { sharedListTexts } from '../../../lists/texts.ts';
import type { Api, KeptList } from '../../../shell/api.ts';
import { currentPage } from '../../../shell/console-context.ts';
import { showDone } from '../../../shell/toasts.ts';
import { importTexts as texts } from '../texts.ts';
import type { Planned, PlanSource } from './make-plan.ts';
import { countOf } from './plan-rows.ts';

interface ApplyOptions {
  api: Api;
  client: QueryClient;
  source: PlanSource;
  planned: Planned;
  reason: string;
  /** The employee ID of the user. */
  mine: string;
}

/** Thrown if the displayed plan no longer matches what would change. */
export class PlanOutdated extends Error {}

export async function applyPlan({ api, client, source, planned, reason, mine }: ApplyOptions): Promise<void> {
  const { body, mirror, hasVersions } = planned;
  if (body === undefined) return;
  if (!hasVersions) {
    const latest = await api.plan(body, { ...(mirror && { mirror }) });
    if (!isSame(latest, planned.plan)) throw new PlanOutdated();
  }
  const before = await listsBefore(planned, source);
  // If the answer leaves out changes, these cannot be compared, so the lists must not have changed at all.
  if (planned.plan.changesLeftOut !== undefined && !haveSameVersions(before, planned.before)) throw new PlanOutdated();
  const why = reason.trim();
  const { counts } = await api.apply(body, { ...(why !== '' && { reason: why }), ...(mirror && { mirror }) });
  const changed = Object.keys(counts);
  for (const list of changed) {
    const version = (before.get(list)?.version ?? 0) + 1;
    ownVersions.set(list, (ownVersions.get(list) ?? new Set()).add(version));
    listChanged(client, list);
  }
  const undoable = changed.map((list) => before.get(list)).filter((list) => list !== undefined);
  const done = texts.done(countOf(counts));
  // Undo is offered only if it covers all changed lists. It cannot cover a new list, because no list can be deleted.
  if (undoable.length === 0 || undoable.length < changed.length) showDone(done);
  else showDone(done, { page: currentPage(), run: () => undoImport({ api, client, mine }, undoable, done) });
}

/**
 * Returns the lists that Undo restores. A document without versions is applied to the current lists, so these are
 * loaded.
 */
async function listsBefore({ before, hasVersions }: Planned, source: PlanSource): Promise<Planned['before']> {
  if (hasVersions) return before;
  const latest = new Map<string, KeptList | undefined>();
  for (const [list, kept] of before) latest.set(list, kept && (await source.load(list, true)));
  return latest;
}

function haveSameVersions(a: Planned['before'], b: Planned['before']): boolean {
  return Array.from(a.keys()).every((list) => a.get(list)?.version === b.get(list)?.version);
}

function undoImport(
  { api, client, mine }: Pick<ApplyOptions, 'api' | 'client' | 'mine'>,
  before: readonly KeptList[],
  done: string,
): Promise<void> {
  const left = [...before];
  /** A retry continues with the lists that have not been restored yet. */
  const undo = async () => {
    for (let [kept] = left; kept !== undefined; [kept] = left) {
      await undoChange(api, { before: kept, version: kept.version + 1 });
      left.shift();
    }
  };
  const onEnd = () => {
    for (const { list } of before) listChanged(client, list);
  };
  return undoOrShowError(sharedListTexts.undone(done), undo, onEnd, mine);
}
