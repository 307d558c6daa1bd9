// A sample form, as an application would have it, with the request behind each dropdown.
import { useState } from 'react';
import { useFrontdesk, useLookup } from '../../client/src/react.ts';
import { CopyButton, ErrorNote, Field } from '../parts/parts.tsx';

const fields = [
  { list: 'position', label: 'Position' },
  { list: 'overtime-eligibility', label: 'Overtime eligibility' },
  { list: 'employment-type', label: 'Employment type' },
  { list: 'employee-level', label: 'Employee level' },
] as const;

type List = (typeof fields)[number]['list'];

export function PreviewForm({ changeIds }: { changeIds: Record<string, number> }) {
  const [values, setValues] = useState<Partial<Record<List, string>>>({});
  const [language, setLanguage] = useState('');
  const [shown, setShown] = useState<List>('position');
  const { baseUrl } = useFrontdesk();
  const header = language === '' ? '' : ` \\\n  -H 'Accept-Language: ${language}'`;
  const curl = `curl '${baseUrl}/employee/${shown}' \\\n  -H "Authorization: Bearer $TOKEN"${header}`;
  const options = language === '' ? '' : `, { language: '${language}' }`;
  const code = `const items = await frontdesk.lookup('${shown}'${options});`;
  return (
    <>
      <h1>Preview form</h1>
      <p className="quiet">Four dropdowns, filled by Frontdesk. A change of a list appears here at once.</p>
      <div className="columns">
        <form className="card" aria-label="Sample employee" onSubmit={(event) => event.preventDefault()}>
          <h2>A new employee</h2>
          {fields.map(({ list, label }) => (
            <Dropdown
              key={list}
              list={list}
              label={label}
              language={language}
              version={changeIds[list] ?? 0}
              value={values[list] ?? ''}
              onFocus={() => setShown(list)}
              onChange={(value) => setValues({ ...values, [list]: value })}
            />
          ))}
          <Field
            label="Language of labels"
            hint="A tag such as de or pt-BR; labels without a translation are shown as they are."
          >
            {(id, note) => (
              <input
                id={id}
                aria-describedby={note}
                value={language}
                placeholder="as they are"
                autoComplete="off"
                onChange={(event) => setLanguage(event.target.value.replaceAll(/[^A-Za-z0-9-]/g, ''))}
              />
            )}
          </Field>
        </form>
        <div className="card">
          <h2>What would be stored</h2>
          <pre>
            {JSON.stringify(Object.fromEntries(fields.map(({ list }) => [list, values[list] ?? null])), null, 2)}
          </pre>
          <h2>The request behind “{fields.find(({ list }) => list === shown)?.label}”</h2>
          <pre>{curl}</pre>
          <p className="row">
            <CopyButton text={curl}>Copy as curl</CopyButton>
            <CopyButton text={code}>Copy as client code</CopyButton>
          </p>
          <pre>{code}</pre>
        </div>
      </div>
    </>
  );
}

interface DropdownProps {
  list: List;
  label: string;
  language: string;
  version: number;
  value: string;
  onFocus: () => void;
  onChange: (value: string) => void;
}

function Dropdown({ list, label, language, version, value, onFocus, onChange }: DropdownProps) {
  // A value that was chosen stays in the dropdown, also when it is retired meanwhile.
  const include = value === '' ? [] : [value];
  const { data, error } = useLookup(list, { version, include, ...(language !== '' && { language }) });
  return (
    <>
      <Field label={label}>
        {(id) => (
          <select
            id={id}
            value={value}
            disabled={data === undefined}
            onFocus={onFocus}
            onChange={(event) => onChange(event.target.value)}
          >
            <option value="">{data === undefined ? 'Loading…' : 'Choose…'}</option>
            {data?.map((item) => (
              <option key={item.value} value={item.value} dir="auto">
                {item.label}
              </option>
            ))}
          </select>
        )}
      </Field>
      <ErrorNote error={error} />
    </>
  );
}
