// A sample form, as an application would have it, with the request behind each dropdown.
import { useState } from 'react';
import { useFrontdesk } from '../../../client/src/react.ts';
import { languageName } from '../../lists/languages/language-names.ts';
import { SelectField } from '../../parts/fields.tsx';
import { LanguagePicker } from '../../lists/languages/language-picker.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { previewTexts } from './texts.ts';
import { shared } from '../../parts/texts.ts';
import { FormDropdown } from './form-dropdown.tsx';
import { RequestCode } from './request-code.tsx';
import { standardLists, useReadableLists } from './use-readable-lists.ts';

/** No language has an empty tag. */
const ofBrowser = '';

export function PreviewForm() {
  const { baseUrl } = useFrontdesk();
  const { names, titleOf, languages } = useReadableLists();
  const [added, setAdded] = useState<readonly string[]>([]);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [tag, setTag] = useState(ofBrowser);
  const [last, setLast] = useState('position');
  const lists = [...Object.keys(standardLists), ...added];
  const shown = lists.includes(last) ? last : 'position';
  const language = tag === ofBrowser ? undefined : tag;
  const offered = [...new Set([...languages, ...(language === undefined ? [] : [language])])];
  const choices = offered
    .map((each) => ({ id: each, name: languageName(each) }))
    .sort((one, other) => one.name.localeCompare(other.name));

  const others = names.filter((name) => !lists.includes(name)).map((id) => ({ id, name: titleOf(id) }));

  function addList(list: string): void {
    setAdded([...added, list]);
    setLast(list);
  }

  return (
    <>
      <PageHeader title={shared.preview} text={previewTexts.text} />
      <div className="columns">
        <form
          className="card stack"
          aria-label={previewTexts.form}
          onSubmit={(event) => event.preventDefault()}
          autoComplete="off"
        >
          <h2>{previewTexts.formTitle}</h2>
          {lists.map((list) => (
            <FormDropdown
              key={list}
              list={list}
              title={titleOf(list)}
              language={language}
              value={values[list] ?? ''}
              onFocus={() => setLast(list)}
              onChange={(value) => setValues({ ...values, [list]: value })}
              onRemove={added.includes(list) ? () => setAdded(added.filter((each) => each !== list)) : undefined}
            />
          ))}
          <hr />
          <SelectField
            key={added.length}
            label={previewTexts.addList}
            hint={previewTexts.addListHint}
            placeholder={previewTexts.choose}
            choices={others}
            value={null}
            isDisabled={others.length === 0}
            onChange={addList}
          />
          <SelectField
            label={previewTexts.language}
            hint={previewTexts.languageHint}
            choices={[{ id: ofBrowser, name: previewTexts.browserLanguage }, ...choices]}
            value={tag}
            onChange={setTag}
          />
          <LanguagePicker label={previewTexts.otherLanguage} used={offered} onPick={setTag} />
        </form>
        <RequestCode
          baseUrl={baseUrl}
          list={shown}
          title={titleOf(shown)}
          language={language}
          stored={Object.fromEntries(lists.map((list) => [list, values[list] || null]))}
        />
      </div>
    </>
  );
}
