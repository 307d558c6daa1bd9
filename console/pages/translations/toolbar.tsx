// The filters, the search, and the field for adding languages.

import { languageName } from '../../lists/languages/language-names.ts';
import { LanguagePicker } from '../../lists/languages/language-picker.tsx';
import { sharedListTexts } from '../../lists/texts.ts';
import { SearchBox, SelectField } from '../../parts/fields.tsx';
import { translationTexts } from './texts.ts';
import type { GridView } from './use-view.ts';

interface ToolbarProps {
  view: GridView;
  isReadOnly: boolean;
  onAddLanguage: (tag: string) => void;
}

export function Toolbar({ view, isReadOnly, onAddLanguage }: ToolbarProps) {
  return (
    <div className="translation-tools">
      <SearchBox
        id="find-value"
        aria-label={translationTexts.find}
        placeholder={translationTexts.find}
        value={view.search}
        onChange={(event) => view.setSearch(event.target.value)}
      />
      {view.isNarrow && view.all.length > 1 && (
        <SelectField
          label={translationTexts.shownLanguage}
          choices={view.all.map((tag) => ({ id: tag, name: languageName(tag) }))}
          value={view.current ?? null}
          onChange={view.choose}
        />
      )}
      <div className="row">
        <Check
          text={translationTexts.untranslatedOnly}
          isChecked={view.isUntranslatedOnly}
          onChange={view.setUntranslatedOnly}
        />
        <Check text={translationTexts.showRetired} isChecked={view.hasRetired} onChange={view.setRetired} />
      </div>
      {!isReadOnly && (
        <LanguagePicker
          label={sharedListTexts.addLanguage}
          placeholder={sharedListTexts.addLanguageHint}
          used={view.all}
          onPick={onAddLanguage}
        />
      )}
    </div>
  );
}

interface CheckProps {
  text: string;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
}

function Check({ text, isChecked, onChange }: CheckProps) {
  return (
    <label className="check">
      <input type="checkbox" checked={isChecked} onChange={(event) => onChange(event.target.checked)} />
      {text}
    </label>
  );
}
