// The form of a value. Only edited fields are stored; all others show the list's current state, so that a colleague's
// change appears at once without replacing anything typed.
import { emptyItem } from '../../../src/lookup/rules/item.ts';
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
import type { ItemChanges, NewItem } from '../../shell/api.ts';

/** `from` is the field's content when it was first edited. */
interface Edit {
  from: FieldValue;
  to: FieldValue;
}

/** A code whose system is still being typed, so it has no field name yet. */
export interface AddedCode {
  id: number;
  system: string;
  code: string;
}

export interface ItemForm {
  edits: Readonly<Partial<Record<FieldName, Edit>>>;
  addedCodes: readonly AddedCode[];
  /** A tag that is typed but not yet added. */
  tagText: string;
  /** The value of a new item, if typed by hand; null if proposed from the label. */
  value: string | null;
  reason: string;
}

export const emptyForm: ItemForm = { edits: {}, addedCodes: [], tagText: '', value: null, reason: '' };

/** The item's current fields with the edits applied. A field that the user removed is null. */
export function shownFields(item: ItemState, form: ItemForm): Fields {
  const shown: Partial<Record<FieldName, FieldValue>> = { ...fieldsOf(item) };
  for (const name of namesOfEdits(form)) shown[name] = form.edits[name]?.to ?? null;
  return shown;
}

export const namesOfEdits = (form: ItemForm) => Object.keys(form.edits) as FieldName[];

/** An edit that restores the original is dropped. A row that the user has added is kept, even while it is empty. */
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

export function withTags(item: ItemState, form: ItemForm, tags: readonly string[], text: string): ItemForm {
  return { ...withField(item, form, 'tags', tags), tagText: text };
}

/** Pasted text may contain several tags. */
export const tagsIn = (text: string) => text.split(/[\s,;]+/).filter((tag) => tag !== '');

/** The edited fields with trimmed contents; null if empty. */
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

/** Returns only fields that differ from `item`, since others may have changed the rest. */
export function changesOf(item: ItemState, form: ItemForm): ItemChanges {
  const [now, edited] = [fieldsOf(item), editedFields(item, form)];
  const different = namesOf(edited).filter((name) => !isSameValue(now[name], edited[name]));
  return changesOfFields(Object.fromEntries(different.map((name) => [name, edited[name] ?? null])));
}

export function newItemOf(value: string, form: ItemForm): NewItem {
  const { label, labels, codes, parents, ...rest } = changesOf(emptyItem, form);
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

/** Whether closing the form would lose input. */
export function hasInput(item: ItemState, form: ItemForm): boolean {
  return (
    form.reason.trim() !== '' ||
    form.addedCodes.some(({ system, code }) => system.trim() !== '' || code.trim() !== '') ||
    (form.value ?? '') !== '' ||
    Object.keys(changesOf(item, form)).length > 0
  );
}

/** The base of the merge: the item, with each edited field as it was when the edit began. */
export function mergeBase<Item extends ItemState>(item: Item, form: ItemForm): Item {
  const base: Partial<Record<FieldName, FieldValue>> = {};
  for (const name of namesOfEdits(form)) base[name] = form.edits[name]?.from ?? null;
  return withFields(item, base);
}

/** Keeps only the input that is newer than `sent`, the form that was saved. */
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
