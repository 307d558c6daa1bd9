// Labels of stored values: what is requested, and in how many requests. The lists are scripted here.
import { beforeEach, expect, test } from 'bun:test';
import { createFrontdesk } from '../../client/src/index.ts';

let asked: string[];
let client: ReturnType<typeof createFrontdesk>;
beforeEach(() => {
  asked = [];
  const send = async (url: string, init?: RequestInit) => {
    const { pathname, searchParams } = new URL(url);
    const language = new Headers(init?.headers).get('accept-language');
    const include = searchParams.getAll('include').filter((value) => value.startsWith('OLD'));
    asked.push(
      `${pathname.slice('/employee/'.length)} ${searchParams.getAll('include').length} ${language ?? ''}`.trim(),
    );
    const items = ['ACCOUNTANT', 'CLERK', ...include];
    return Response.json(items.map((value, id) => ({ id, value, label: `${language ?? ''}${value}!`, sortOrder: id })));
  };
  client = createFrontdesk({ baseUrl: 'http://localhost', accessToken: 'x', fetch: send as typeof fetch });
});

test('labels of values that may be chosen come from the plain list, which is requested once', async () => {
  const labels = await Promise.all(['ACCOUNTANT', 'CLERK', 'CLERK'].map((value) => client.label('position', value)));
  expect([labels, asked]).toEqual([['ACCOUNTANT!', 'CLERK!', 'CLERK!'], ['position 0']]);
});

test('labels of retired values are requested together; a value that no list has is its own label', async () => {
  const values = ['OLD_1', 'ACCOUNTANT', 'OLD_2', 'OLD_1', 'NEVER', 'not a value', 'x'.repeat(99), 'A'.repeat(65)];
  const labels = await Promise.all(values.map((value) => client.label('position', value)));
  expect(labels).toEqual(['OLD_1!', 'ACCOUNTANT!', 'OLD_2!', 'OLD_1!', ...values.slice(4)]);
  expect(asked).toEqual(['position 0', 'position 3']);
});

test('labels of more values than one request can name are requested in several', async () => {
  const values = Array.from({ length: 201 }, (_, index) => `OLD_${index}`);
  const labels = await Promise.all(values.map((value) => client.label('position', value)));
  expect(labels).toEqual(values.map((value) => `${value}!`));
  expect(asked).toEqual(['position 0', 'position 100', 'position 100', 'position 1']);
});

test('lists and languages are not mixed up', async () => {
  const labels = await Promise.all([
    client.label('position', 'OLD_1'),
    client.label('employee-level', 'OLD_2'),
    client.label('position', 'OLD_1', { language: 'de' }),
  ]);
  expect(labels).toEqual(['OLD_1!', 'OLD_2!', 'deOLD_1!']);
  expect(asked.sort()).toEqual([
    'employee-level 0',
    'employee-level 1',
    'position 0',
    'position 0 de',
    'position 1',
    'position 1 de',
  ]);
});
