// Finds faults before anything is sent, and assigns the service's faults to fields.
import { fieldNames, itemFields, ruleOf } from '../../../src/lookup/rules/item.ts';
import { mostOfItem } from '../../../src/lookup/rules/list.ts';
import { isInOrder } from '../../../src/lookup/rules/list-on-day.ts';
import { isMachineName } from '../../../src/lookup/rules/names.ts';
import {
  type FieldName,
  type FieldValue,
  formFields,
  type ItemState,
  lineFault,
  namesOf,
  splitField,
  valueFault,
} from '../../lists/items/item-fields.ts';
import { itemFaults as texts } from '../../lists/items/texts.ts';
import { type AddedCode, editedFields, type ItemForm, namesOfEdits, shownFields } from './item-form.ts';

/**
 * Messages by key: `value`, `reason`, a field, or `addedCodes.ID` for a code whose system is not set. The empty key
 * stands for the whole form.
 */
export type Faults = Readonly<Record<string, string>>;

const longestReason = 500;
const maxTags = 50;

/** `added` is set for a new item. */
export function checkForm(item: ItemState, form: ItemForm, added?: { value: string; taken: ReadonlySet<string> }) {
  const shown = shownFields(item, form);
  const faults: Record<string, string> = {};
  const note = (field: string, message: string | undefined) => {
    if (message !== undefined) faults[field] ??= message;
  };
  if (added !== undefined) note('value', valueFault(added.value, added.taken));
  note('label', lineFault(shown.label ?? null, itemFields.label.most, true));
  note('reason', lineFault(form.reason, longestReason));
  // Only edited fields are checked: other fields may have been saved by an older version with different rules.
  for (const name of namesOfEdits(form)) note(name, fieldFault(name, shown[name] ?? null));
  note('tags', tagsFault(editedFields(item, form).tags ?? null));
  if (!isInOrder(shown.validFrom, shown.validTo)) note('validTo', texts.dates);
  const systems = namesOf(shown).filter((name) => name.startsWith('codes.') && shown[name] !== null);
  const seen = new Set(systems.map((name) => splitField(name)[1]));
  for (const code of form.addedCodes) {
    note(`addedCodes.${code.id}`, addedCodeFault(code, seen));
    seen.add(code.system.trim());
  }
  if (seen.size > mostOfItem.codes) note('codes', texts.tooMany(mostOfItem.codes));
  const parents = namesOf(shown).filter((name) => name.startsWith('parents.') && shown[name] !== null);
  if (parents.length > mostOfItem.parents) note('parents', texts.tooMany(mostOfItem.parents));
  return faults;
}

function fieldFault(name: FieldName, value: FieldValue): string | undefined {
  const [group] = splitField(name);
  if (group === 'parents' && value !== null && value.length === 0) return texts.parents;
  const field = fieldNames.find((each) => each === group);
  const most = field && ruleOf(field).most;
  if (most !== undefined) return lineFault(value, most);
}

function tagsFault(value: FieldValue): string | undefined {
  if (value === null || typeof value === 'string') return;
  if (value.length > maxTags) return texts.tooMany(maxTags);
  const wrong = value.find((tag) => !isMachineName(tag));
  return wrong === undefined ? undefined : texts.tag(wrong);
}

function addedCodeFault({ system, code }: AddedCode, seen: ReadonlySet<string>): string | undefined {
  const name = system.trim();
  if (name === '') return code.trim() === '' ? undefined : texts.required;
  if (!isMachineName(name)) return texts.system;
  if (seen.has(name)) return texts.twice(name);
  return lineFault(code, itemFields.codes.most, true);
}

/** Assigns the service's faults to fields: `tags.3` to the tags, an unknown field to the whole form. */
export function faultsByField(errors: readonly { field: string; message: string }[], form: ItemForm): Faults {
  const faults: Record<string, string> = {};
  for (const { field, message } of errors) {
    const at = fieldOfFault(field, form);
    faults[at] = faults[at] === undefined ? message : `${faults[at]}. ${message}`;
  }
  return faults;
}

const plain = new Set<string>(['value', 'reason', 'codes', 'parents', ...formFields]);

function fieldOfFault(field: string, form: ItemForm): string {
  const [group, key] = splitField(field);
  const added = group === 'codes' ? form.addedCodes.find((code) => code.system.trim() === key) : undefined;
  if (added !== undefined) return `addedCodes.${added.id}`;
  if (group === 'tags') return 'tags';
  // `parents.country.2` is the third value of that list; list names have no dots.
  if (group === 'parents' && key !== '') return `parents.${splitField(key)[0]}`;
  if ((group === 'labels' || group === 'codes') && key !== '') return field;
  return plain.has(group) && key === '' ? group : '';
}
