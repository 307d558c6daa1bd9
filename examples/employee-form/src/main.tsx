import { createFrontdesk, type StandardList } from 'frontdesk-client';
import { FrontdeskProvider, useLabel, useLookup, useSession } from 'frontdesk-client/react';
import { type FormEvent, useState } from 'react';
import { createRoot } from 'react-dom/client';
import './style.css';

const frontdesk = createFrontdesk({ baseUrl: import.meta.env.VITE_FRONTDESK_URL ?? 'http://localhost:3000' });

function Dropdown({ list, title, stored = '' }: { list: StandardList; title: string; stored?: string }) {
  const [chosen, setChosen] = useState(stored);
  const { data: items = [] } = useLookup(list, { live: true });
  const { data: label } = useLabel(list, chosen);
  // A stored value stays in the record even if the list no longer offers it.
  const isRetired = chosen !== '' && items.length > 0 && !items.some(({ value }) => value === chosen);
  const options = isRetired ? [{ value: chosen, label: `${label} (retired)` }, ...items] : items;
  return (
    <label>
      {title}
      <select name={list} value={chosen} onChange={(event) => setChosen(event.target.value)} required>
        <option value="" label="Choose…" />
        {options.map(({ value, label }) => (
          <option key={value} value={value} label={label} />
        ))}
      </select>
      {isRetired && <small>This value is no longer offered. It stays until you choose another.</small>}
    </label>
  );
}

function EmployeeForm() {
  const { person, status, error, signIn, signOut } = useSession();
  const [saved, setSaved] = useState('');
  const isOver = status === 'signed-out';
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setSaved(JSON.stringify(Object.fromEntries(new FormData(event.currentTarget)), null, 2));
  };
  const again = () => location.reload();
  if (error && !person) return <input type="button" value={`${error.message} Try again.`} onClick={again} />;
  if (person === undefined && !isOver) return <p role="status">Connecting…</p>;
  if (person === undefined) return <input type="button" value="Sign in" onClick={() => signIn()} />;
  return (
    <form onSubmit={save}>
      <p>{`Record ${location.pathname.slice(1) || 'of a new employee'}, filled in by ${person.name}`}</p>
      <Dropdown list="position" title="Position" stored="SALES_MANAGER" />
      <Dropdown list="overtime-eligibility" title="Overtime eligibility" stored="EXEMPT" />
      <Dropdown list="employment-type" title="Employment type" />
      <Dropdown list="employee-level" title="Employee level" />
      {isOver && <p role="alert">Your session has ended. Sign in again: what you chose stays.</p>}
      {isOver && <input type="button" value="Sign in again" onClick={() => signIn({ popup: true })} />}
      <input type="submit" value="Save" disabled={isOver} />
      <input type="button" value="Sign out" onClick={() => signOut({ returnTo: `${location.origin}/` })} />
      {saved !== '' && <output>{saved}</output>}
    </form>
  );
}

// Completes a sign-in and shows the record where it began, or continues this browser's session. useSession() returns the error.
frontdesk.resume().catch(() => {});
createRoot(document.querySelector('main') ?? document.body).render(
  <FrontdeskProvider value={frontdesk}>
    <EmployeeForm />
  </FrontdeskProvider>,
);
