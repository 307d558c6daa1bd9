// A document that says it mirrors a list retires the items that it leaves out. Other documents do not retire them.

import { beforeEach, describe, expect, test } from 'bun:test';
import { readCommandLine } from '../../src/cli/arguments.ts';
import { type DatabaseCommandName, runCommand } from '../../src/cli/commands.ts';
import { runOverHttp } from '../../src/cli/remote-lists.ts';
import { readConfig } from '../../src/config/config.ts';
import { startListKeeping } from '../support/lists.ts';
import { shared } from '../support/shared.ts';

const keeping = shared(startListKeeping);

let made = 0;
let list = '';
/** A and B are active; C is retired and replaced by A. */
beforeEach(async () => {
  list = `mirror-${++made}`;
  await keeping.apply(list, [
    { value: 'A', label: 'a' },
    { value: 'B', label: 'b', codes: { hr: '1' } },
    { value: 'C', label: 'c', retired: true, replacedBy: 'A' },
  ]);
});

const post = (path: string, body: string | object, type = 'application/json') =>
  keeping.sendText(path, type, typeof body === 'string' ? body : JSON.stringify(body));
const states = async () =>
  Object.fromEntries((await keeping.read(list)).items.map(({ value, status }) => [value, status]));
const item = (value: string, more = {}) => ({ value, label: value.toLowerCase(), ...more });

interface PlannedChange {
  value: string;
  kind: string;
}
async function plan(path: string, body: string | object, type?: string): Promise<string[]> {
  const response = await post(path, body, type);
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  const { changes } = (await response.json()) as { changes: PlannedChange[] };
  return changes.map(({ kind, value }) => `${kind} ${value}`);
}

describe('a document with mirror', () => {
  test('retires what it leaves out, and restores what it contains', async () => {
    const document = { mirror: true, lists: { [list]: { items: [item('A'), item('C'), item('D')] } } };
    const changes = ['restore C', 'add D', 'retire B'];
    expect(await plan('plan', document)).toEqual(changes);
    expect(await states()).toEqual({ A: 'active', B: 'active', C: 'retired' });
    expect(await plan('apply', document)).toEqual(changes);
    expect(await states()).toEqual({ A: 'active', B: 'retired', C: 'active', D: 'active' });
    expect(await plan('apply', document)).toEqual([]);
  });

  test('keeps a value retired if it says that it is retired', async () => {
    const items = [item('A', { retired: true }), item('B'), item('C', { retired: true, replacedBy: 'B' })];
    expect(await plan('apply', { mirror: true, lists: { [list]: { items } } })).toEqual(['retire A', 'change C']);
    expect(await states()).toEqual({ A: 'retired', B: 'active', C: 'retired' });
  });

  test('with no items retires every item, and the plan names each', async () => {
    expect(await plan('plan', { mirror: true, lists: { [list]: { items: [] } } })).toEqual(['retire A', 'retire B']);
    expect(await plan('apply', { mirror: true, lists: { [list]: { items: [] } } })).toEqual(['retire A', 'retire B']);
    expect(await states()).toEqual({ A: 'retired', B: 'retired', C: 'retired' });
  });

  test('that changes thousands of items is answered with their number and with the first thousand', async () => {
    const many = Array.from({ length: 1200 }, (_, index) => item(`V${index}`));
    const [added, planned, applied] = [
      await post('apply', { lists: { [list]: { title: 'T', items: many } } }),
      await post('plan', { mirror: true, lists: { [list]: { items: [item('D')] }, [`${list}-new`]: {} } }),
      await post('apply', { mirror: true, lists: { [list]: { items: [item('D')] }, [`${list}-new`]: {} } }),
    ];
    const parts = async (response: Response) => {
      const { changes, ...rest } = (await response.json()) as { changes: PlannedChange[] };
      return { ...rest, changes: changes.length, first: changes[0]?.kind };
    };
    const added1200 = {
      counts: { [list]: { title: 1, add: 1200 } },
      changesLeftOut: 201,
      changes: 1000,
      first: 'title',
    };
    expect(await parts(added)).toEqual(added1200);
    const counts = { [list]: { add: 1, retire: 1202 }, [`${list}-new`]: { list: 1 } };
    const bounded = { counts, changesLeftOut: 204, changes: 1000, first: 'add' };
    expect([await parts(planned), await parts(applied)]).toEqual([bounded, bounded]);
    expect(Object.values(await states()).filter((status) => status === 'retired')).toHaveLength(1203);
  });

  test('leaves a list without `items` as it is', async () => {
    expect(await plan('apply', { mirror: true, lists: { [list]: { title: 'T' } } })).toEqual(['title null']);
    expect(await states()).toEqual({ A: 'active', B: 'active', C: 'retired' });
  });

  test('can give the code of an omitted item to another item', async () => {
    const items = [item('A'), item('N', { codes: { hr: '1' } })];
    expect(await plan('apply', { mirror: true, lists: { [list]: { items } } })).toEqual(['add N', 'retire B']);
  });

  test('refuses a replacement of an item that becomes active', async () => {
    const response = await post('apply', {
      mirror: true,
      lists: { [list]: { items: [item('A'), item('C', { replacedBy: 'A' })] } },
    });
    expect(response.status).toBe(400);
    const { errors } = (await response.json()) as { errors: { field: string; message: string }[] };
    expect(errors.map(({ field, message }) => `${field}: ${message}`)).toEqual([
      `lists.${list}.items.1.replacedBy: is only allowed for retired values`,
    ]);
    expect(await states()).toEqual({ A: 'active', B: 'active', C: 'retired' });
  });

  test('can be undone', async () => {
    await plan('apply', { mirror: true, lists: { [list]: { items: [] } } });
    await keeping.change('POST', list, '/undo', { version: 1 });
    expect(await states()).toEqual({ A: 'active', B: 'active', C: 'retired' });
  });

  test('that is an export changes nothing', async () => {
    const text = await (await keeping.get(`/admin/lookups/${list}`, { accept: 'application/yaml' })).text();
    expect(await plan('plan', `mirror: true\n${text}`, 'application/yaml')).toEqual([]);
  });

  test.each([['"yes"'], ['1'], ['null']])('refuses mirror: %s', async (mirror) => {
    const response = await post('plan', `{"mirror":${mirror},"lists":{}}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: [{ field: 'mirror', message: 'must be true or false' }] });
  });
});

describe('?mirror', () => {
  const csv = () => `list,value,label\n${list},A,a\n`;

  test('works the same for any document, including CSV', async () => {
    expect(await plan('plan?mirror=true', csv(), 'text/csv')).toEqual(['retire B']);
    expect(await plan('apply?mirror=true', csv(), 'text/csv')).toEqual(['retire B']);
    expect(await states()).toEqual({ A: 'active', B: 'retired', C: 'retired' });
  });

  test('takes precedence over the document', async () => {
    const document = { mirror: true, lists: { [list]: { items: [] } } };
    expect(await plan('plan?mirror=false', document)).toEqual([]);
    expect(await plan('plan?mirror=true', { ...document, mirror: false })).toEqual(['retire A', 'retire B']);
  });

  test('refuses anything but true and false', async () => {
    expect((await post('plan?mirror=1', csv(), 'text/csv')).status).toBe(400);
    expect((await post('plan?mirror=', csv(), 'text/csv')).status).toBe(400);
  });
});

test('without `mirror`, leaving items out changes nothing', async () => {
  expect(await plan('apply', { lists: { [list]: { items: [] } } })).toEqual([]);
  expect(await plan('apply', { mirror: false, lists: { [list]: { items: [item('A'), item('C')] } } })).toEqual([]);
  expect(await plan('apply?mirror=false', `list,value,label\n${list},A,a\n`, 'text/csv')).toEqual([]);
  expect(await states()).toEqual({ A: 'active', B: 'active', C: 'retired' });
});

describe('--mirror', () => {
  const run = async (...words: string[]): Promise<string> => {
    const call = readCommandLine(['lookups', ...words]);
    if ('help' in call) throw new Error(call.help);
    const { url, ...options } = call.args.options;
    const args = { ...call.args, options };
    const result = await (url === undefined
      ? runCommand(call.name as DatabaseCommandName, args, readConfig(keeping.desk.commandEnv))
      : runOverHttp(call.name, args, url, { FRONTDESK_TOKEN: keeping.token }));
    return typeof result === 'string' ? result : result.text;
  };

  test.each([
    ['on the database', () => []],
    ['at a service', () => ['--url', keeping.desk.url]],
  ])('%s: the plan says what is retired, and apply does it', async (_, where) => {
    const file = `${keeping.desk.folder}/mirror.csv`;
    await Bun.write(file, `list,value,label\n${list},D,d\n`);
    const retired = `  - A\n      status: "active" → "retired"\n`;
    expect(await run('plan', file, ...where())).not.toContain('retired');
    const planned = await run('plan', file, '--mirror', ...where());
    expect(planned).toContain(retired);
    expect(planned).toContain('  2 items are retired\n');
    expect(await run('apply', file, '--mirror', ...where())).toEndWith('Applied.\n');
    expect(await states()).toEqual({ A: 'retired', B: 'retired', C: 'retired', D: 'active' });
  });
});
