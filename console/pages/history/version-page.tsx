// One version of a list, with its differences from the current version or from another version.

import { RotateCcw } from 'lucide-react';
import { useMemo, useState } from 'react';
import { settingNames } from '../../../src/lookup/rules/list-settings.ts';
import { authorName } from '../../lists/actor.ts';
import { ListState } from '../../lists/list-header.tsx';
import { useHistory, useHistoryEntry, useList, useListAt, useSummary } from '../../lists/queries.ts';
import { isSame } from '../../lists/saving/merge.ts';
import { settingTexts, sharedListTexts, shownTitle } from '../../lists/texts.ts';
import { Button } from '../../parts/button.tsx';
import { PageHeader } from '../../parts/content.tsx';
import { SelectField } from '../../parts/fields.tsx';
import { formatMoment, Moment } from '../../parts/format.tsx';
import { addressOf } from '../../routes.ts';
import type { HistoryEntry, KeptList } from '../../shell/api.ts';
import { navigate } from '../../shell/console-context.ts';
import { LoadingOrError } from '../../shell/loading.tsx';
import { RestoreDialog } from './restore-dialog.tsx';
import { versionTexts as texts } from './texts.ts';
import { inOrder, versionRows } from './version-differences.ts';
import { Difference, textOfSetting, VersionValues } from './version-values.tsx';

interface VersionPageProps {
  list: string;
  version: number;
  /** The version to compare with, if it is not the current one. */
  against: number | undefined;
}

export function VersionPage({ list, version, against }: VersionPageProps) {
  const past = useListAt(list, version);
  const current = useList(list);
  const chosen = against === undefined || against === version ? undefined : against;
  const otherVersion = useListAt(list, chosen ?? version);
  const mayKeep = useSummary(list)?.mayKeep ?? false;
  const [isRestoring, setRestoring] = useState(false);
  const [then, now] = [past.data, current.data];
  const other = chosen === undefined ? now : otherVersion.data;
  const rows = useMemo(
    () => (then === undefined || other === undefined ? [] : versionRows(then, other)),
    [then, other],
  );
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
      {then === undefined || now === undefined || other === undefined ? (
        <LoadingOrError query={then === undefined ? past : now === undefined ? current : otherVersion} />
      ) : (
        <>
          {isCurrent && <p className="note info">{texts.isCurrent}</p>}
          <CompareWith list={list} version={version} against={chosen} newest={now.version} />
          {other.version !== version && <SettingsDifferences shown={then} other={other} against={chosen} />}
          <VersionValues
            rows={rows}
            isCurrent={other.version === version}
            labelOf={labelOf}
            version={version}
            against={chosen}
          />
          {isRestoring && <RestoreDialog then={then} now={now} onClose={() => setRestoring(false)} />}
        </>
      )}
    </>
  );
}

const olderId = 'older';

/** Chooses the version to compare with. Versions are loaded like the history, page by page. */
function CompareWith({ list, version, against, newest }: VersionPageProps & { newest: number }) {
  const history = useHistory(list);
  const entries = history.data?.pages.flat() ?? [];
  const nameOf = (entry: HistoryEntry) =>
    [texts.version(entry.version), authorName(entry), formatMoment(entry.at)].join(' · ');
  const choices = entries
    .filter((entry) => entry.version !== newest && entry.version !== version)
    .map((entry) => ({ id: String(entry.version), name: nameOf(entry) }));
  if (against !== undefined && !choices.some(({ id }) => id === String(against))) {
    choices.push({ id: String(against), name: texts.version(against) });
  }
  if (choices.length === 0 && !history.hasNextPage) return null;
  return (
    <div className="compare">
      <SelectField
        label={texts.compareWith}
        choices={[
          { id: String(newest), name: texts.currentVersion(newest) },
          ...choices,
          ...(history.hasNextPage ? [{ id: olderId, name: texts.olderVersions }] : []),
        ]}
        value={String(against ?? newest)}
        onChange={(id) => {
          if (id === olderId) return void history.fetchNextPage();
          const chosen = Number(id) === newest ? {} : { against: Number(id) };
          navigate({ page: 'version', list, version, ...chosen });
        }}
      />
    </div>
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

interface SettingsDifferencesProps {
  shown: KeptList;
  other: KeptList;
  against: number | undefined;
}

function SettingsDifferences({ shown, other, against }: SettingsDifferencesProps) {
  const [older, newer] = inOrder(shown, other);
  const changed = settingNames.filter((name) => !isSame(older[name], newer[name]));
  if (changed.length === 0) return null;
  return (
    <section className="settings-differences">
      <h2>{against === undefined ? texts.settings : texts.settingsFrom(against)}</h2>
      <dl className="differences">
        {changed.map((name) => (
          <Difference
            key={name}
            name={settingTexts[name]}
            before={textOfSetting(name, older[name])}
            after={textOfSetting(name, newer[name])}
          />
        ))}
      </dl>
    </section>
  );
}
