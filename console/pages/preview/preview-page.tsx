// A sample form as an application would show it. People who keep lists also see the request behind each dropdown.
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { ChevronDown, X } from 'lucide-react';
import { useId, useMemo, useState } from 'react';
import { useFrontdesk, useLookup } from '../../../client/src/react.ts';
import { standardLists } from '../../../src/lookup/rules/list.ts';
import { languageName } from '../../lists/languages/language-names.ts';
import { LanguagePicker } from '../../lists/languages/language-picker.tsx';
import { keys, useKeepsLists, useLists } from '../../lists/queries.ts';
import { changeIds } from '../../lists/use-changes.ts';
import { Button, CopyButton } from '../../parts/button.tsx';
import { catalogue } from '../../parts/catalogue.ts';
import { PageHeader } from '../../parts/content.tsx';
import { SelectField } from '../../parts/fields.tsx';
import { shared } from '../../parts/texts.ts';
import { useConsole } from '../../shell/console-context.ts';
import { ErrorNote } from '../../shell/error-note.tsx';
import { LoadingOrError } from '../../shell/loading.tsx';
import { shellTexts } from '../../shell/texts.ts';
import { clientCodeOf, curlOf } from './preview-request.ts';

const previewTexts = catalogue(
  {
    text: 'How the lists look in a form. Changes appear here immediately.',
    form: 'Sample form',
    formTitle: 'New employee',
    choose: 'Choose…',
    addList: 'Add list',
    addListHint: 'Any list you can read',
    language: 'Language of labels',
    browserLanguage: 'Browser language',
    languageHint: 'Values without a translation are shown with their plain label.',
    otherLanguage: 'Another language',
    stored: 'What would be stored',
    request: (title: string) => `Request for “${title}”`,
    curl: 'As curl',
    code: 'As client code',
    copyStored: 'Copy what would be stored',
    copyCurl: 'Copy as curl',
    copyCode: 'Copy as client code',
  },
  {
    text: 'So sehen die Listen in einem Formular aus. Änderungen erscheinen hier sofort.',
    form: 'Beispielformular',
    formTitle: 'Neueinstellung',
    choose: 'Bitte wählen …',
    addList: 'Liste hinzufügen',
    addListHint: 'Jede Liste, die Sie lesen dürfen',
    language: 'Sprache der Bezeichnungen',
    browserLanguage: 'Browsersprache',
    languageHint: 'Werte ohne Übersetzung behalten ihre eigene Bezeichnung.',
    otherLanguage: 'Andere Sprache',
    stored: 'Was gespeichert würde',
    request: (title: string) => `Anfrage für „${title}“`,
    curl: 'Als curl',
    code: 'Als Client-Code',
    copyStored: 'Kopieren, was gespeichert würde',
    copyCurl: 'Als curl kopieren',
    copyCode: 'Als Client-Code kopieren',
  },
);

/** The ID of the option “Browser language”. It differs from every language tag. */
const browserDefault = '';

export function PreviewForm() {
  const { baseUrl } = useFrontdesk();
  const keepsLists = useKeepsLists();
  const { titles, query, languages } = useReadableLists();
  const [added, setAdded] = useState<readonly string[]>([]);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [tag, setTag] = useState(browserDefault);
  const [last, setLast] = useState('position');
  const titleOf = (list: string) => titles?.[list]?.title ?? list;
  const lists = [...Object.keys(standardLists), ...added];
  const shown = lists.includes(last) ? last : 'position';
  const language = tag === browserDefault ? undefined : tag;
  const offered = [...new Set([...languages, ...(language === undefined ? [] : [language])])];
  const choices = offered
    .map((each) => ({ id: each, name: languageName(each) }))
    .sort((one, other) => one.name.localeCompare(other.name));

  const others = Object.keys(titles ?? {})
    .filter((name) => !lists.includes(name))
    .map((id) => ({ id, name: titleOf(id) }))
    .sort((one, other) => one.name.localeCompare(other.name));

  function addList(list: string): void {
    setAdded([...added, list]);
    setLast(list);
  }

  const header = <PageHeader title={shellTexts.preview} text={previewTexts.text} />;
  if (titles === undefined) {
    return (
      <>
        {header}
        <LoadingOrError query={query} />
      </>
    );
  }
  return (
    <>
      {header}
      <div className={keepsLists ? 'columns' : 'preview-alone'}>
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
            choices={[{ id: browserDefault, name: previewTexts.browserLanguage }, ...choices]}
            value={tag}
            onChange={setTag}
          />
          <LanguagePicker label={previewTexts.otherLanguage} used={offered} onPick={setTag} />
        </form>
        {keepsLists && (
          <RequestCode
            baseUrl={baseUrl}
            list={shown}
            title={titleOf(shown)}
            language={language}
            stored={Object.fromEntries(lists.map((list) => [list, values[list] || null]))}
          />
        )}
      </div>
    </>
  );
}

interface FormDropdownProps {
  list: string;
  title: string;
  language: string | undefined;
  value: string;
  onFocus: () => void;
  onChange: (value: string) => void;
  /** Set only for lists that the user added to the form. */
  onRemove?: (() => void) | undefined;
}

/** A dropdown filled as an application would fill it. */
function FormDropdown({ list, title, language, value, onFocus, onChange, onRemove }: FormDropdownProps) {
  const id = useId();
  const version = changeIds.use()[list] ?? 0;
  // A chosen value stays in the dropdown, even if it is retired in the meantime.
  const include = value === '' ? [] : [value];
  const { data, error } = useLookup(list, { version, include, ...(language !== undefined && { language }) });
  return (
    <div className="field">
      <label htmlFor={id} className="field-label" dir="auto">
        {title}
      </label>
      <div className="preview-dropdown">
        <span className="preview-select">
          <select
            id={id}
            className="input"
            value={value}
            disabled={data === undefined}
            onFocus={onFocus}
            onChange={(event) => onChange(event.target.value)}
          >
            <option value="">{data === undefined ? shellTexts.loading : previewTexts.choose}</option>
            {data?.map((item) => (
              <option key={item.value} value={item.value} dir="auto">
                {item.label}
              </option>
            ))}
          </select>
          <ChevronDown aria-hidden="true" size={16} />
        </span>
        {onRemove !== undefined && (
          <Button look="icon" aria-label={shared.remove(title)} onPress={onRemove}>
            <X aria-hidden="true" size={16} />
          </Button>
        )}
      </div>
      <ErrorNote error={error} />
    </div>
  );
}

interface RequestCodeProps {
  baseUrl: string;
  list: string;
  title: string;
  language: string | undefined;
  /** The chosen value of each list; null if nothing is chosen. */
  stored: Readonly<Record<string, string | null>>;
}

/** Shows what the form would store, and the request behind the dropdown that was used last. */
function RequestCode({ baseUrl, list, title, language, stored }: RequestCodeProps) {
  const json = JSON.stringify(stored, null, 2);
  return (
    <section className="card preview-code">
      <Snippet title={previewTexts.stored} text={json} copyLabel={previewTexts.copyStored} level="h2" />
      <h2 dir="auto">{previewTexts.request(title)}</h2>
      <Snippet
        title={previewTexts.curl}
        text={curlOf({ baseUrl, list, language })}
        copyLabel={previewTexts.copyCurl}
        level="h3"
      />
      <Snippet
        title={previewTexts.code}
        text={clientCodeOf({ list, language })}
        copyLabel={previewTexts.copyCode}
        level="h3"
      />
    </section>
  );
}

interface SnippetProps {
  title: string;
  text: string;
  copyLabel: string;
  level: 'h2' | 'h3';
}

function Snippet({ title, text, copyLabel, level: Heading }: SnippetProps) {
  return (
    <>
      <div className="preview-snippet">
        <Heading>{title}</Heading>
        <CopyButton text={text} label={copyLabel} />
      </div>
      <pre dir="ltr">{text}</pre>
    </>
  );
}

interface ReadableLists {
  /** Undefined until it is loaded. */
  titles: Readonly<Record<string, { title: string }>> | undefined;
  query: UseQueryResult;
  /** All languages in which at least one list has labels. */
  languages: string[];
}

/** The titles of the lists that the user may read. Languages are known only for lists that the user may see as a whole. */
function useReadableLists(): ReadableLists {
  const { desk, permissions } = useConsole();
  const kept = useLists({ isNeeded: permissions.seeLists });
  const query = useQuery({
    queryKey: [...keys.lists, 'titles'],
    queryFn: ({ signal }): Promise<ReadableLists['titles']> => desk.titles({ signal }),
  });
  const languages = useMemo(() => {
    const shown = (kept.data ?? []).filter(({ archived }) => !archived);
    return [...new Set(shown.flatMap(({ translations }) => Object.keys(translations)))];
  }, [kept.data]);
  return { titles: query.data, query, languages };
}
