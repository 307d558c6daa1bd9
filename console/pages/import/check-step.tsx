import { Download, Info, TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { ReasonField } from '../../lists/saving/reason-field.tsx';
import { Button } from '../../parts/button.tsx';
import { Chips } from '../../parts/chips.tsx';
import { EmptyState, Note } from '../../parts/content.tsx';
import type { ListSummary, Plan } from '../../shell/api.ts';
import { ErrorNote } from '../../shell/error-note.tsx';
import type { Planned } from './plan/make-plan.ts';
import { countByFilter, countOf, filterOf, type PlanFilter } from './plan/plan-rows.ts';
import { PlanTable } from './plan-table.tsx';
import { importFilters, importTexts as texts } from './texts.ts';
import type { Import } from './use-import.ts';

interface CheckStepProps {
  work: Import;
  list: string | undefined;
  lists: readonly ListSummary[];
}

const filters = ['add', 'change', 'retire', 'restore', 'list'] as const;

/** The last step: shows what would change, and applies it. */
export function CheckStep({ work, list, lists }: CheckStepProps) {
  const { state } = work;
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that led to this step no longer exists, so the focus would be lost.
  useEffect(() => heading.current?.focus(), []);
  if (state.outcome?.kind !== 'planned') return null;
  const { planned } = state.outcome;
  const count = countOf(planned.plan.counts);
  return (
    <div className="stack">
      <div className="import-head">
        <div>
          <h2 ref={heading} tabIndex={-1}>
            {count === 0 ? texts.nothing : texts.planTitle}
          </h2>
          <p className="quiet">
            <bdi>{state.fileName}</bdi>
            {planned.unchanged > 0 && ` · ${texts.unchanged(planned.unchanged)}`}
          </p>
        </div>
      </div>
      <ErrorNote error={state.error} onRetry={work.apply} />
      {state.hasChanged && (
        <Note tone="warning" Icon={Info} role="status">
          <strong>{texts.changedMeanwhile}</strong>
          <p>{texts.changedMeanwhileText}</p>
        </Note>
      )}
      <LeftOut work={work} planned={planned} />
      <RetireMissing work={work} planned={planned} />
      {count === 0 ? (
        <EmptyState title={texts.nothingText} />
      ) : (
        <Changes plan={planned.plan} list={list} lists={lists} />
      )}
      {count > 0 && (
        <div className="import-reason">
          <ReasonField
            value={state.reason}
            maxLength={500}
            isDisabled={state.working === 'applying'}
            onChange={work.setReason}
          />
        </div>
      )}
      <ApplyBar work={work} count={count} />
    </div>
  );
}

/** The rows that will not be imported. */
function LeftOut({ work, planned }: { work: Import; planned: Planned }) {
  if (planned.leftOut === undefined) return null;
  const { size } = planned.leftOut;
  return (
    <Note tone="warning" Icon={TriangleAlert} role="status">
      <strong>{texts.leftOut(size)}</strong>
      <p>{texts.leftOutText}</p>
      <p className="row">
        <Button icon={<Download aria-hidden="true" size={16} />} onPress={work.downloadLeftOut}>
          {texts.downloadLeftOut}
        </Button>
      </p>
    </Note>
  );
}

function RetireMissing({ work, planned }: { work: Import; planned: Planned }) {
  const { state, setRetireMissing } = work;
  // No values are missing from the file, so there is nothing to choose.
  if (planned.missing === 0) return null;
  return (
    <label className="checkbox">
      <input
        type="checkbox"
        checked={state.retireMissing}
        disabled={state.working === 'applying'}
        onChange={(event) => setRetireMissing(event.target.checked)}
      />
      <span>
        {planned.missing === null ? texts.retireMissingFile : texts.retireMissing(planned.missing)}
        <span className="hint">{texts.retireMissingHint}</span>
      </span>
    </label>
  );
}

function Changes({ plan, list, lists }: { plan: Plan } & Omit<CheckStepProps, 'work'>) {
  const [filter, setFilter] = useState<PlanFilter>('all');
  const counts = countByFilter(plan.counts);
  const chips = [
    { id: 'all' as PlanFilter, name: texts.all, count: counts.get('all') ?? 0 },
    ...filters
      .filter((id) => counts.has(id))
      .map((id) => ({ id: id as PlanFilter, name: importFilters[id], count: counts.get(id) ?? 0 })),
  ];
  // If the list has changed, the chosen filter may no longer match any change.
  const shownFilter = counts.has(filter) ? filter : 'all';
  const shown =
    shownFilter === 'all' ? plan.changes : plan.changes.filter(({ kind }) => filterOf(kind) === shownFilter);
  const isForOthers = Object.keys(plan.counts).some((name) => name !== list);
  return (
    <>
      <Chips label={texts.filter} chips={chips} value={shownFilter} onChange={setFilter} />
      {plan.changesLeftOut !== undefined && (
        <p className="quiet">{texts.firstShown(plan.changes.length, counts.get('all') ?? 0)}</p>
      )}
      <PlanTable key={shownFilter} changes={shown} lists={lists} hasLists={isForOthers} />
    </>
  );
}

function ApplyBar({ work, count }: { work: Import; count: number }) {
  const { state, apply, back, startAgain } = work;
  const isBusy = state.working !== undefined;
  return (
    <div className="apply-bar">
      <span className="quiet" role="status">
        {isBusy && (state.working === 'applying' ? texts.applying : texts.checking)}
      </span>
      <Button isDisabled={state.working === 'applying'} onPress={state.choices === undefined ? startAgain : back}>
        {texts.back}
      </Button>
      {count > 0 ? (
        <Button look="primary" isPending={isBusy} onPress={apply}>
          {texts.apply(count)}
        </Button>
      ) : (
        <Button look="primary" onPress={startAgain}>
          {texts.otherFile}
        </Button>
      )}
    </div>
  );
}
