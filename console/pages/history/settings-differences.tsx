import type { KeptList } from '../../shell/api.ts';
import { isSame } from '../../lists/same.ts';
import { settingNames, versionTexts as texts } from './texts.ts';
import { BeforeAndNow } from './before-and-now.tsx';
import { textOfSetting } from './field-text.ts';

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
            name={settingNames[name]}
            before={textOfSetting(then[name])}
            now={textOfSetting(now[name])}
          />
        ))}
      </dl>
    </section>
  );
}
