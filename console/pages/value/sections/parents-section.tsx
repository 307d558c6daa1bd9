import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useMemo } from 'react';
import { type FieldName, namesOf, splitField } from '../../../lists/items/item-fields.ts';
import { itemTexts } from '../../../lists/items/texts.ts';
import { ValueComboBox } from '../../../lists/items/value-combo-box.tsx';
import { useLists } from '../../../lists/queries.ts';
import { shownTitle } from '../../../lists/texts.ts';
import { Button } from '../../../parts/button.tsx';
import { Tags } from '../../../parts/chips.tsx';
import { SelectField } from '../../../parts/fields.tsx';
import { shared } from '../../../parts/texts.ts';
import { useConsole } from '../../../shell/console-context.ts';
import { valueTexts as texts } from '../texts.ts';
import type { ValueForm } from '../use-value-form.ts';
import { Section, valuesIn } from './section.tsx';

export function ParentsSection({ valueForm, list }: { valueForm: ValueForm; list: string }) {
  const summaries = useLists().data ?? [];
  const names = namesOf(valueForm.shown).filter(
    (name) => name.startsWith('parents.') && valueForm.shown[name] !== null,
  );
  const used = new Set(names.map((name) => splitField(name)[1]));
  const others = summaries.filter((other) => other.list !== list && !other.archived && !used.has(other.list));
  const titleOf = (name: string) => {
    const found = summaries.find((other) => other.list === name);
    return found === undefined ? name : shownTitle(found);
  };
  return (
    <Section title={texts.parents}>
      <p className="hint">{names.length === 0 ? texts.noParents : texts.parentsHint}</p>
      {names.map((name) => (
        <ParentList key={name} valueForm={valueForm} name={name} title={titleOf(splitField(name)[1])} />
      ))}
      {valueForm.faults.parents !== undefined && <p className="fault">{valueForm.faults.parents}</p>}
      {others.length > 0 && (
        <SelectField
          label={texts.addParentList}
          placeholder={texts.addParentListHint}
          choices={others.map((other) => ({ id: other.list, name: shownTitle(other) }))}
          value={null}
          onChange={(other) => valueForm.set(`parents.${other}`, [])}
        />
      )}
    </Section>
  );
}

function ParentList({ valueForm, name, title }: { valueForm: ValueForm; name: FieldName; title: string }) {
  const chosen = valuesIn(valueForm.shown, name);
  const items = useValuesOf(splitField(name)[1]);
  const labels = useMemo(() => new Map(items.map((item) => [item.value, item.label])), [items]);
  const free = useMemo(() => {
    const taken = new Set(chosen);
    return items.filter((item) => !taken.has(item.value));
  }, [items, chosen]);
  return (
    <div className="parent-list">
      <div className="row">
        <strong>
          <bdi>{title}</bdi>
        </strong>
        <Button look="icon" aria-label={shared.remove(title)} onPress={() => valueForm.set(name, null)}>
          <X aria-hidden="true" size={16} />
        </Button>
      </div>
      {chosen.length > 0 && (
        <Tags
          label={itemTexts.valuesOf(title)}
          tags={chosen}
          nameOf={(value) => labels.get(value) ?? value}
          onChange={(left) => valueForm.set(name, left)}
        />
      )}
      <ValueComboBox
        label={texts.addValueOf(title)}
        items={free}
        value={null}
        fault={valueForm.faults[name]}
        onChange={(value) => value !== null && valueForm.set(name, [...chosen, value].sort())}
      />
    </div>
  );
}

/** Loads values as forms do, because the user may have the right to read the list but not to change it. */
function useValuesOf(list: string) {
  const { desk } = useConsole();
  const query = useQuery({ queryKey: ['values', list], queryFn: () => desk.lookup(list) });
  return useMemo(
    () => (query.data ?? []).map(({ value, label }) => ({ value, label, labels: {}, codes: {} })),
    [query.data],
  );
}
