// What is typed into the form of a value. Only what was touched is kept: every other field shows what the list has now,
// so that a colleague's change appears at once and nothing typed is replaced by it.
import type { ItemChanges, NewItem } from '../../../src/lookup/lookup-admin.schema.ts';
import {
  changesOfFields,
  type FieldName,
  type Fields,
  type FieldValue,
  fieldsOf,
  type ItemState,
  isSameValue,
  namesOf,
  withFields,
} from '../../lists/items/item-fields.ts';

/** `from` is what the field had when it was first touched. */
interface Edit {
  from: FieldValue;
  to: FieldValue;
}

/** A code whose system is still being typed: it has no name as a field yet. */
export interface AddedCode {
  id: number;
  system: string;
  code: string;
}

export interface ItemForm {
  edits: Readonly<Partial<Record<FieldName, Edit>>>;
  addedCodes: readonly AddedCode[];
  /** A tag that is typed and not yet among the tags. */
  tagText: string;
  /** Of a new item, once it is typed by hand; null: proposed from the label. */
  value: string | null;
  reason: string;
}

export const emptyForm: ItemForm = { edits: {}, addedCodes: [], tagText: '', value: null, reason: '' };

export const newItemState: ItemState = {
  value: '',
  label: '',
  labels: {},
  sortOrder: 0,
  status: 'active',
  validFrom: null,
  validTo: null,
  replacedBy: null,
  retiredAt: null,
  codes: {},
  tags: [],
  description: null,
  parents: {},
};

/** What the form shows: the fields of the item as it is now, with those that were touched. Null: removed here. */
export function shownFields(item: ItemState, form: ItemForm): Fields {
  const shown: Partial<Record<FieldName, FieldValue>> = { ...fieldsOf(item) };
  for (const name of namesOfEdits(form)) shown[name] = form.edits[name]?.to ?? null;
  return shown;
}

export const namesOfEdits = (form: ItemForm) => Object.keys(form.edits) as FieldName[];

/** A field that is as it was again counts as never touched, unless it is a new row that is still empty. */
export function withField(item: ItemState, form: ItemForm, name: FieldName, to: FieldValue): ItemForm {
  const { [name]: edit, ...others } = form.edits;
  const from = edit === undefined ? (fieldsOf(item)[name] ?? null) : edit.from;
  const isUntouched = isSameValue(from, to) && (!name.includes('.') || (from === null) === (to === null));
  return { ...form, edits: isUntouched ? others : { ...others, [name]: { from, to } } };
}

export const withAddedCode = (form: ItemForm, id: number): ItemForm => ({
  ...form,
  addedCodes: [...form.addedCodes, { id, system: '', code: '' }],
});

export const withCode = (form: ItemForm, changed: AddedCode): ItemForm => ({
  ...form,
  addedCodes: form.addedCodes.map((code) => (code.id === changed.id ? changed : code)),
});

export const withoutCode = (form: ItemForm, id: number): ItemForm => ({
  ...form,
  addedCodes: form.addedCodes.filter((code) => code.id !== id),
});

/** Tags have no blanks in them: what is pasted may be several. */
export function withTags(item: ItemState, form: ItemForm, tags: readonly string[], text: string): ItemForm {
  return { ...withField(item, form, 'tags', tags), tagText: text };
}

export const tagsIn = (text: string) => text.split(/[\s,;]+/).filter((tag) => tag !== '');

/** What is to be set, without blanks around it; null where nothing is left of it. */
export function editedFields(item: ItemState, form: ItemForm): Fields {
  const edited: Partial<Record<FieldName, FieldValue>> = {};
  for (const name of namesOfEdits(form)) edited[name] = cleaned(form.edits[name]?.to ?? null);
  for (const { system, code } of form.addedCodes)
    if (system.trim() !== '' && code.trim() !== '') edited[`codes.${system.trim()}`] = code.trim();
  const typedTags = tagsIn(form.tagText);
  if (typedTags.length > 0) edited.tags = [...new Set([...shownTags(item, form), ...typedTags])].toSorted();
  return edited;
}

export function shownTags(item: ItemState, form: ItemForm): readonly string[] {
  const tags = shownFields(item, form).tags;
  return typeof tags === 'string' ? [] : (tags ?? []);
}

function cleaned(value: FieldValue): FieldValue {
  if (typeof value === 'string') return value.trim() || null;
  return value === null || value.length === 0 ? null : value.toSorted();
}

/** The fields that are different from those of `item`, and nothing else: others may have changed the rest meanwhile. */
export function changesOf(item: ItemState, form: ItemForm): ItemChanges {
  const [now, edited] = [fieldsOf(item), editedFields(item, form)];
  const different = namesOf(edited).filter((name) => !isSameValue(now[name], edited[name]));
  return changesOfFields(Object.fromEntries(different.map((name) => [name, edited[name] ?? null])));
}

export function newItemOf(value: string, form: ItemForm): NewItem {
  const { label, labels, codes, parents, ...rest } = changesOf(newItemState, form);
  return {
    ...rest,
    value,
    label: label ?? '',
    ...(labels && { labels: withoutNulls(labels) }),
    ...(codes && { codes: withoutNulls(codes) }),
    ...(parents && { parents: withoutNulls(parents) }),
  };
}

function withoutNulls<V>(record: Record<string, V | null>): Record<string, V> {
  return Object.fromEntries(Object.entries(record).filter((entry): entry is [string, V] => entry[1] !== null));
}

/** Whether something would be lost by closing the form. */
export function isTyped(item: ItemState, form: ItemForm): boolean {
  return (
    form.reason.trim() !== '' ||
    form.addedCodes.some(({ system, code }) => system.trim() !== '' || code.trim() !== '') ||
    (form.value ?? '') !== '' ||
    Object.keys(changesOf(item, form)).length > 0
  );
}

/** The fields that others have changed since they were touched here, to something else than is typed. */
export function overtakenFields(item: ItemState, form: ItemForm): FieldName[] {
  const [now, edited] = [fieldsOf(item), editedFields(item, form)];
  return namesOfEdits(form).filter(
    (name) => !isSameValue(form.edits[name]?.from, now[name]) && !isSameValue(edited[name], now[name]),
  );
}

/** The item as it was when each field was touched: what was typed is compared with this. */
export function begunItem<Item extends ItemState>(item: Item, form: ItemForm): Item {
  const begun: Partial<Record<FieldName, FieldValue>> = {};
  for (const name of namesOfEdits(form)) begun[name] = form.edits[name]?.from ?? null;
  return withFields(item, begun);
}

/** What was typed since `sent` was sent and saved stays: everything else is in the list now. */
export function afterSaving(form: ItemForm, sent: ItemForm): ItemForm {
  const kept = namesOfEdits(form).flatMap((name): [FieldName, Edit][] => {
    const [edit, saved] = [form.edits[name], sent.edits[name]];
    if (edit === undefined || edit === saved) return [];
    return [[name, saved === undefined ? edit : { from: cleaned(saved.to), to: edit.to }]];
  });
  return {
    edits: Object.fromEntries(kept),
    addedCodes: form.addedCodes.filter((code) => !sent.addedCodes.includes(code)),
    tagText: form.tagText === sent.tagText ? '' : form.tagText,
    value: form.value === sent.value ? null : form.value,
    reason: form.reason === sent.reason ? '' : form.reason,
  };
}
