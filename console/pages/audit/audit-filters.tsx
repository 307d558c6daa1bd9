// The audit's filters, written to the address shortly after the last change.
import { useEffect, useState } from 'react';
import { useLists } from '../../lists/queries.ts';
import { shownTitle } from '../../lists/texts.ts';
import { Button } from '../../parts/button.tsx';
import { DayField } from '../../parts/day-field.tsx';
import { SelectField, TextField } from '../../parts/fields.tsx';
import { navigate } from '../../shell/console-context.ts';
import { type AuditFilter, isFiltered, noFilter, readAuditFilter, writeAuditFilter } from './audit-filter.ts';
import { auditTypeNames, nameAuditType } from './audit-sentences.ts';
import { auditPage as texts } from './texts.ts';

/** Long enough to type a year or an employee ID. */
const delayMs = 600;
/** The ID of the option for all lists or all types. No list or type has this name. */
const all = '*';

const show = (filter: AuditFilter) => navigate({ page: 'audit', query: writeAuditFilter(trimmed(filter)) });
const trimmed = (filter: AuditFilter): AuditFilter => ({
  ...filter,
  person: filter.person.trim(),
  words: filter.words.trim(),
});

export function AuditFilters({ query }: { query: string }) {
  const [draft, setDraft] = useState(() => readAuditFilter(query));
  const [shown, setShown] = useState(query);
  if (shown !== query) {
    setShown(query);
    // The address has changed. If the Back button or a link changed it, the filter in the address replaces the draft.
    // If the draft itself was written to the address, the two are equal.
    if (writeAuditFilter(trimmed(draft)) !== query) setDraft(readAuditFilter(query));
  }
  const isWrongPeriod = draft.from !== '' && draft.to !== '' && draft.to < draft.from;
  const isNew = writeAuditFilter(trimmed(draft)) !== writeAuditFilter(readAuditFilter(query));
  useEffect(() => {
    if (!isNew || isWrongPeriod) return;
    const timer = setTimeout(() => show(draft), delayMs);
    return () => clearTimeout(timer);
  }, [draft, isNew, isWrongPeriod]);

  const change = (part: Partial<AuditFilter>) => setDraft({ ...draft, ...part });
  const lists = (useLists().data ?? []).map((each) => ({ id: each.list, name: shownTitle(each) }));
  if (draft.list !== '' && !lists.some(({ id }) => id === draft.list)) lists.push({ id: draft.list, name: draft.list });
  const types = auditTypeNames.map(([id, name]) => ({ id, name }));
  if (draft.type !== '' && !types.some(({ id }) => id === draft.type)) {
    types.push({ id: draft.type, name: nameAuditType(draft.type) });
  }
  return (
    <form
      className="audit-filters"
      aria-label={texts.filters}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isWrongPeriod) show(draft);
      }}
    >
      <TextField
        label={texts.person}
        placeholder={texts.personHint}
        maxLength={255}
        value={draft.person}
        onChange={(person) => change({ person })}
      />
      <TextField
        label={texts.words}
        placeholder={texts.wordsHint}
        maxLength={100}
        value={draft.words}
        onChange={(words) => change({ words })}
      />
      <SelectField
        label={texts.list}
        choices={[{ id: all, name: texts.allLists }, ...lists]}
        value={draft.list === '' ? all : draft.list}
        onChange={(list) => change({ list: list === all ? '' : list })}
      />
      <SelectField
        label={texts.type}
        choices={[{ id: all, name: texts.allTypes }, ...types]}
        value={draft.type === '' ? all : draft.type}
        onChange={(type) => change({ type: type === all ? '' : type })}
      />
      <DayField
        label={texts.from}
        value={draft.from === '' ? null : draft.from}
        onChange={(from) => change({ from: from ?? '' })}
      />
      <DayField
        label={texts.to}
        fault={isWrongPeriod ? texts.wrongPeriod : undefined}
        value={draft.to === '' ? null : draft.to}
        onChange={(to) => change({ to: to ?? '' })}
      />
      {isFiltered(draft) && (
        <Button
          look="plain"
          onPress={() => {
            setDraft(noFilter);
            show(noFilter);
          }}
        >
          {texts.clear}
        </Button>
      )}
    </form>
  );
}
