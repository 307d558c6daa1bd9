import { expect, test } from 'bun:test';
import { recogniseColumns } from '../../pages/import/plan/columns.ts';
import { fieldOfHeader, fieldTitle } from './headers.ts';

const known = {
  systems: ['SAP-HR'],
  lists: [{ list: 'cost-centre', title: 'Cost centres', titles: { de: 'Kostenstellen' } }],
};

test.each([
  ['Label', 'label'],
  ['BEZEICHNUNG', 'label'],
  ['Job title', 'label'],
  ['Value', 'value'],
  ['Schlüssel', 'value'],
  ['Valid from', 'validFrom'],
  ['Gültig ab', 'validFrom'],
  ['gueltig_ab', 'validFrom'],
  ['validFrom', 'validFrom'],
  ['Gültig bis:', 'validTo'],
  ['Available until', 'validTo'],
  ['Deutsch', 'label:de'],
  ['German', 'label:de'],
  ['de', 'label:de'],
  ['Label (German)', 'label:de'],
  ['Bezeichnung (Französisch)', 'label:fr'],
  ['Deutsche Bezeichnung', 'label:de'],
  ['Label auf Deutsch', 'label:de'],
  ['Label DE', 'label:de'],
  ['Français', 'label:fr'],
  ['Label (Portuguese (Brazil))', 'label:pt-BR'],
  ['Brazilian Portuguese', 'label:pt-BR'],
  ['label:de', 'label:de'],
  ['Code Workday', 'code:workday'],
  ['Workday code', 'code:workday'],
  ['SAP HR', 'code:SAP-HR'],
  ['Code: sap.hr', 'code:sap.hr'],
  ['Tags', 'tags'],
  ['Schlagwörter', 'tags'],
  ['Retired', 'retired'],
  ['Deaktiviert', 'retired'],
  ['Stillgelegt', 'retired'],
  ['Replaced by', 'replacedBy'],
  ['Order', 'sortOrder'],
  ['sortOrder', 'sortOrder'],
  ['Only with Cost centres', 'parent:cost-centre'],
  ['Nur mit Kostenstellen', 'parent:cost-centre'],
  ['Nur mit: country', 'parent:country'],
  ['Liste', 'list'],
  ['No', 'sortOrder'],
  ['ID', 'value'],
  ['Salary', undefined],
  ['', undefined],
])('the header %p is %p', (header, field) => {
  expect(fieldOfHeader(header, known)).toBe(field);
});

test.each([
  ...['value', 'label', 'description', 'validFrom', 'validTo', 'retired', 'replacedBy', 'tags', 'sortOrder', 'list'],
  ...['label:de', 'label:pt-BR', 'label:zh-Hant', 'label:de-LI', 'label:no', 'code:sap.hr', 'parent:cost-centre'],
])('the title of %p is recognised again', (field) => {
  expect(fieldOfHeader(fieldTitle(field), { systems: [], lists: [] })).toBe(field);
});

test('the row with the most headers is the header row, and rows above it are ignored', () => {
  const rows = [['Our positions', null], [], ['Bezeichnung', 'Gültig ab', 'Gehalt'], ['Köchin', '1.1.2027', '1']];
  expect(recogniseColumns(rows, known)).toEqual({
    headerRow: 2,
    columns: [
      { index: 0, header: 'Bezeichnung', field: 'label', isUncertain: false },
      { index: 1, header: 'Gültig ab', field: 'validFrom', isUncertain: false },
      { index: 2, header: 'Gehalt', field: '', isUncertain: true },
    ],
  });
});

test('if two columns match one field, the user decides about the second', () => {
  const { columns } = recogniseColumns(
    [
      ['Label', 'Name'],
      ['A', 'B'],
    ],
    known,
  );
  expect(columns.map(({ field, isUncertain }) => [field, isUncertain])).toEqual([
    ['label', false],
    ['', true],
  ]);
});

test('columns without a header are shown only if they have content', () => {
  const { columns } = recogniseColumns(
    [
      ['Label', null, null],
      ['A', null, 'note'],
    ],
    known,
  );
  expect(columns.map(({ index }) => index)).toEqual([0, 2]);
});
