// A list at a version, with its differences from the current list.

import { RotateCcw } from 'lucide-react';
import { useMemo, useState } from 'react';
import { settingNames } from '../../../src/lookup/rules/list-settings.ts';
import { authorName } from '../../lists/actor.ts';
import { ListState } from '../../lists/list-header.tsx';
import { useHistoryEntry, useList, useListAt, useSummary } from '../../lists/queries.ts';
import { isSame } from '../../lists/saving/merge.ts';
import { sharedListTexts, shownTitle } from '../../lists/texts.ts';
import { Button } from '../../parts/button.tsx';
import { PageHeader } from '../../parts/content.tsx';
import { Moment } from '../../parts/format.tsx';
import { addressOf } from '../../routes.ts';
import type { KeptList } from '../../shell/api.ts';
import { LoadingOrError } from '../../shell/loading.tsx';
import { RestoreDialog } from './restore-dialog.tsx';
import { settingTexts, versionTexts as texts } from './texts.ts';
import { versionRows } from './version-differences.ts';
import { BeforeAndNow, textOfSetting, VersionValues } from './version-values.tsx';

export function VersionPage({ list, version }: { list: string; version: number }) {
  const past = useListAt(list, version);
  const current = useList(list);
  const mayKeep = useSummary(list)?.mayKeep ?? false;
  const [isRestoring, setRestoring] = useState(false);
  const [then, now] = [past.data, current.data];
  const rows = useMemo(() => (then === undefined || now === undefined ? [] : versionRows(then, now)), [then, now]);
  const labelOf = useMemo(() => {
    const labels = new Map(now?.items.map(({ value, label }) => [value, label]));
    return (value: string) => labels.get(value) ?? value;
  }, [now]);
  const named = then ?? now;
  const title = texts.asOf(version, named === undefined ? list : shownTitle(named));
  const isCurrent = now?.version === version;
  return (
    <>
      <PageHeader
        title={title}
        back={{ href: addressOf({ page: 'history', list }), name: sharedListTexts.history }}
        text={<SavedBy list={list} version={version} />}
      >
        {mayKeep && now !== undefined && then !== undefined && !isCurrent && (
          <Button look="primary" icon={<RotateCcw aria-hidden="true" size={16} />} onPress={() => setRestoring(true)}>
            {texts.restore}
          </Button>
        )}
      </PageHeader>
      <ListState list={list} />
      {then === undefined || now === undefined ? (
        <LoadingOrError query={past.data === undefined ? past : current} />
      ) : (
        <>
          {isCurrent && <p className="note info">{texts.isCurrent}</p>}
          {!isCurrent && <SettingsDifferences then={then} now={now} />}
          <VersionValues rows={rows} isCurrent={isCurrent} labelOf={labelOf} />
          {isRestoring && <RestoreDialog then={then} now={now} onClose={() => setRestoring(false)} />}
        </>
      )}
    </>
  );
}

function SavedBy({ list, version }: { list: string; version: number }) {
  const { data: entry } = useHistoryEntry(list, version);
  if (entry === undefined) return null;
  return (
    <>
      {texts.savedBy} <bdi>{authorName(entry)}</bdi> ·{' '}
      <bdi>
        <Moment at={entry.at} />
      </bdi>
      {entry.reason !== null && (
        <p className="reason" dir="auto">
          {entry.reason}
        </p>
      )}
    </>
  );
}

function SettingsDifferences({ then, now }: { then: KeptList; now: KeptList }) {
  const changed = settingNames.filter((name) => !isSame(then[name], now[name]));
  if (changed.length === 0) return null;
  return (
    <section className="settings-differences">
      <h2>{texts.settings}</h2>
      <dl className="differences">
        {changed.map((name) => (
          <BeforeAndNow
            key={name}
            name={settingTexts[name]}
            before={textOfSetting(then[name])}
            now={textOfSetting(now[name])}
          />
        ))}
      </dl>
    </section>
  );
}
