// A form of filters that are written to the address shortly after the last change, so that they survive Back and reload
// and can be shared.
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { catalogue } from '../parts/catalogue.ts';
import { DayField } from '../parts/day-field.tsx';
import { TextField } from '../parts/fields.tsx';
import { type Period, writeFilter } from '../routes.ts';

const texts = catalogue(
  {
    filters: 'Filters',
    person: 'Person',
    personHint: 'Name or employee ID',
    from: 'From',
    to: 'To',
    wrongPeriod: 'Must not be before the start date',
    clear: 'Clear filters',
  },
  {
    filters: 'Filter',
    person: 'Person',
    personHint: 'Name oder Personalnummer',
    from: 'Von',
    to: 'Bis',
    wrongPeriod: 'Darf nicht vor dem Startdatum liegen',
    clear: 'Filter zurücksetzen',
  },
);

/** Long enough to type a name or a year. */
const delayMs = 600;

interface FilterFormProps<Filter> {
  className: string;
  /** The filter in the address. */
  query: string;
  read: (query: string) => Filter;
  /** Writes the filter to the address. */
  show: (query: string) => void;
  /** The fields before the period. */
  children: (draft: Filter, change: (part: Partial<Filter>) => void) => ReactNode;
}

export function FilterForm<Filter extends Period>({ className, query, read, show, children }: FilterFormProps<Filter>) {
  const [draft, setDraft] = useState(() => read(query));
  const [shown, setShown] = useState(query);
  const wanted = writeFilter(draft);
  if (shown !== query) {
    setShown(query);
    // The address has changed. If the Back button or a link changed it, the filter in the address replaces the draft.
    // If the draft itself was written to the address, the two are equal.
    if (wanted !== query) setDraft(read(query));
  }
  const isWrongPeriod = draft.from !== '' && draft.to !== '' && draft.to < draft.from;
  const isNew = wanted !== writeFilter(read(query));
  const showWanted = useEffectEvent(() => show(wanted));
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the draft restarts the timer
  useEffect(() => {
    if (!isNew || isWrongPeriod) return;
    const timer = setTimeout(() => showWanted(), delayMs);
    return () => clearTimeout(timer);
  }, [wanted, isNew, isWrongPeriod]);

  return (
    <form
      className={className}
      aria-label={texts.filters}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isWrongPeriod) show(wanted);
      }}
    >
      {children(draft, (part) => setDraft({ ...draft, ...part }))}
      <DayField
        label={texts.from}
        value={draft.from || null}
        onChange={(from) => setDraft({ ...draft, from: from ?? '' })}
      />
      <DayField
        label={texts.to}
        fault={isWrongPeriod ? texts.wrongPeriod : undefined}
        value={draft.to || null}
        onChange={(to) => setDraft({ ...draft, to: to ?? '' })}
      />
      {wanted !== '' && (
        <Button
          look="plain"
          onPress={() => {
            setDraft(read(''));
            show('');
          }}
        >
          {texts.clear}
        </Button>
      )}
    </form>
  );
}

/** Filters by an employee ID, or words of a name. */
export function PersonField({ value, onChange }: { value: string; onChange: (person: string) => void }) {
  return (
    <TextField label={texts.person} placeholder={texts.personHint} maxLength={255} value={value} onChange={onChange} />
  );
}
