import type { KeptList } from '../../data/api.ts';
import { isSame } from '../../data/same.ts';
import { fieldNames, versionTexts as texts } from '../../texts/versions.ts';
import { BeforeAndNow } from './before-and-now.tsx';
import { settingText } from './field-text.ts';

const settings = ['title', 'description', 'readers', 'keepers', 'archived'] as const;

export function SettingsDifferences({ then, now }: { then: KeptList; now: KeptList }) {
  const changed = settings.filter((name) => !isSame(then[name], now[name]));
  if (changed.length === 0) return null;
  return (
    <section className="settings-differences">
      <h2>{texts.settings}</h2>
      <dl className="differences">
        {changed.map((name) => (
          <BeforeAndNow
            key={name}
            name={fieldNames[name]}
            before={settingText(then[name])}
            now={settingText(now[name])}
          />
        ))}
      </dl>
    </section>
  );
}
