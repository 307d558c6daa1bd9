import { describe, expect, test } from 'bun:test';
import { ItemChanges, NewItem } from '../../../src/lookup/changing/list-changes.schema.ts';
import { emptyItem } from '../../../src/lookup/rules/item.ts';
import type { FieldName, FieldValue, ItemState } from '../../lists/items/item-fields.ts';
import { checkForm, faultsByField } from './item-checks.ts';
import {
  afterSaving,
  changesOf,
  emptyForm,
  hasInput,
  type ItemForm,
  mergeBase,
  newItemOf,
  shownFields,
  withAddedCode,
  withCode,
  withField,
  withoutCode,
} from './item-form.ts';

const clerk: ItemState = {
  ...emptyItem,
  value: 'CLERK',
  label: 'Clerk',
  labels: { de: 'Kraft', fr: 'Employé' },
  codes: { workday: 'JP-1' },
  tags: ['office'],
  parents: { country: ['AT', 'DE'] },
  validFrom: '2027-01-01',
};

function typed(edits: Partial<Record<FieldName, FieldValue>>, item = clerk): ItemForm {
  const entries = Object.entries(edits) as [FieldName, FieldValue][];
  return entries.reduce((form, [name, to]) => withField(item, form, name, to), emptyForm);
}

describe('what is sent', () => {
  test('has only the fields that differ, and null for removed fields', () => {
    const form = typed({
      label: ' Officer ',
      'labels.de': null,
      'labels.fr': '',
      'labels.it': 'Impiegato',
      validFrom: null,
      'codes.workday': 'JP-2',
      tags: [],
      'parents.country': null,
      description: '',
    });
    const changes = changesOf(clerk, form);
    expect(changes).toEqual({
      label: 'Officer',
      labels: { de: null, fr: null, it: 'Impiegato' },
      validFrom: null,
      codes: { workday: 'JP-2' },
      tags: [],
      parents: { country: null },
    });
    expect(ItemChanges.parse(changes)).toEqual(changes);
  });

  test('is empty if all edits are taken back', () => {
    const form = withField(clerk, typed({ label: 'Clerks', tags: ['a'] }), 'label', 'Clerk');
    const again = withField(clerk, form, 'tags', ['office']);
    expect([changesOf(clerk, again), again.edits, hasInput(clerk, again)]).toEqual([{}, {}, false]);
  });

  test('has the codes for typed systems, without empty rows', () => {
    const rows = withAddedCode(withAddedCode(emptyForm, 1), 2);
    const form = withCode(rows, { id: 1, system: ' sap ', code: ' 7 ' });
    expect(changesOf(clerk, form)).toEqual({ codes: { sap: '7' } });
    expect(hasInput(clerk, withoutCode(form, 1))).toBe(false);
  });

  test('includes a tag that is typed but not yet added', () => {
    const form = { ...emptyForm, tagText: ' desk, night' };
    expect([changesOf(clerk, form), hasInput(clerk, form)]).toEqual([{ tags: ['desk', 'night', 'office'] }, true]);
  });

  test('is removed from the form after saving, and later input stays', () => {
    const sent = typed({ label: 'Officer', 'labels.de': 'Fachkraft' });
    const meanwhile = withField(clerk, { ...sent, reason: 'x' }, 'label', 'Officers');
    const saved = { ...clerk, label: 'Officer', labels: { ...clerk.labels, de: 'Fachkraft' } };
    const form = afterSaving(meanwhile, sent);
    expect([changesOf(saved, form), form.reason]).toEqual([{ label: 'Officers' }, 'x']);
    expect(mergeBase(saved, form).label).toBe('Officer');
    expect(afterSaving(sent, sent)).toEqual(emptyForm);
  });

  test('is a whole item for a new value', () => {
    const form = typed({ label: 'Porter', 'labels.de': 'Pförtner', 'labels.fr': '', validTo: '2030-01-01' }, emptyItem);
    const item = newItemOf('PORTER', form);
    expect(item).toEqual({ value: 'PORTER', label: 'Porter', labels: { de: 'Pförtner' }, validTo: '2030-01-01' });
    expect(NewItem.parse(item)).toEqual(item);
  });
});

describe('while somebody else changes the item', () => {
  const theirs = { ...clerk, label: 'Assistant', description: 'In the office' };

  test('what is typed stays, and the other fields show the new state', () => {
    const shown = shownFields(theirs, typed({ label: 'Officer' }));
    expect([shown.label, shown.description]).toEqual(['Officer', 'In the office']);
  });
});

test('the base of the merge has the original content of edited fields and the current content of all others', () => {
  const now = { ...clerk, label: 'Assistant', labels: { de: 'Hilfe' }, description: 'In the office' };
  const form = typed({ label: 'Officer', 'labels.de': null, 'labels.it': 'Impiegato' });
  expect(mergeBase(now, form)).toEqual({ ...clerk, labels: { de: 'Kraft' }, description: 'In the office' });
});

test('an added row that is still empty stays in the form, and is not unsaved input', () => {
  const form = typed({ 'labels.it': '' });
  expect([shownFields(clerk, form)['labels.it'], hasInput(clerk, form)]).toEqual(['', false]);
  expect(withField(clerk, form, 'labels.it', null).edits).toEqual({});
});

describe('local checks', () => {
  const check = (edits: Partial<Record<FieldName, FieldValue>>) => checkForm(clerk, typed(edits));
  const cases: [string, Partial<Record<FieldName, FieldValue>>, FieldName, string][] = [
    ['no label', { label: ' ' }, 'label', 'Required'],
    ['a label that is too long', { label: 'x'.repeat(201) }, 'label', 'At most 200 characters'],
    ['an invisible translation', { 'labels.de': '\u200b' }, 'labels.de', 'Must contain a visible character'],
    [
      'a line break',
      { description: 'a\nb' },
      'description',
      'Contains a control character or a line break. Remove it.',
    ],
    ['an end before the start', { validTo: '2026-12-31' }, 'validTo', 'Must not be before the start date'],
    ['a wrong tag', { tags: ['a b'] }, 'tags', '“a b” can’t be a tag: use letters, digits, “.”, “_” and “-”'],
    ['a parent list without a value', { 'parents.level': [] }, 'parents.level', 'Choose a value, or remove the list'],
  ];
  test.each(cases)('find %s, as the service does', (_, edits, field, message) => {
    expect(check(edits)).toEqual({ [field]: message });
    // The schema cannot refuse the end date, because the service compares it with the stored start date.
    if (field !== 'validTo') expect(ItemChanges.safeParse(withoutTrimming(edits)).success).toBe(false);
  });

  test('count characters rather than code units, and accept what the service accepts', () => {
    expect(check({ label: '😀'.repeat(200), validTo: '2027-01-01', tags: ['a.b-c_d'] })).toEqual({});
  });

  test('find a value that is taken or invalid', () => {
    const value = (text: string) => checkForm(emptyItem, typed({ label: 'x' }, emptyItem), { value: text, taken });
    const taken = new Set(['CLERK']);
    expect([value('CLERK').value, value('clerk').value, value('').value, value('PORTER').value]).toEqual([
      'Already exists (may be retired)',
      'Use capital letters and digits, joined by underscores, starting with a letter',
      'Required',
      undefined,
    ]);
  });

  test('find a system that is duplicated or invalid', () => {
    const rows = withAddedCode(withAddedCode(withAddedCode(emptyForm, 1), 2), 3);
    const form = [
      { id: 1, system: 'workday', code: '1' },
      { id: 2, system: 'a b', code: '1' },
      { id: 3, system: 'sap', code: '' },
    ].reduce(withCode, rows);
    expect(Object.values(checkForm(clerk, form))).toEqual([
      'workday is given twice. Remove one of them.',
      'Use letters, digits, “.”, “_” and “-”, starting with a letter or digit',
      'Required',
    ]);
  });
});

/** The fields as a request body, untrimmed. */
function withoutTrimming(edits: Partial<Record<FieldName, FieldValue>>): Record<string, unknown> {
  const entries = Object.entries(edits).map(([name, value]) => {
    const [group = '', key] = name.split('.');
    return [group, key === undefined ? value : { [key]: value }];
  });
  return Object.fromEntries(entries);
}

test('the service’s faults are assigned to the fields', () => {
  const form = withCode(withAddedCode(emptyForm, 4), { id: 4, system: 'sap', code: '7' });
  const fault = (field: string) => ({ field, message: field });
  const fields = [
    'labels.de',
    'codes.workday',
    'codes.sap',
    'validTo',
    'tags.3',
    'parents.country.1',
    'codes',
    '',
    'x.y',
  ];
  expect(faultsByField(fields.map(fault), form)).toEqual({
    'labels.de': 'labels.de',
    'codes.workday': 'codes.workday',
    'addedCodes.4': 'codes.sap',
    validTo: 'validTo',
    tags: 'tags.3',
    'parents.country': 'parents.country.1',
    codes: 'codes',
    '': '. x.y',
  });
});
