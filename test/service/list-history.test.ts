// The history of a list: an answer says how many changes it leaves out, paging reaches all of them, and an undo is marked with
// the version that it restored.
import { beforeAll, describe, expect, test } from 'bun:test';
import { bearer } from '../support/frontdesk.ts';
import { type Step, startListKeeping } from '../support/lists.ts';
import { runToEnd } from '../support/process.ts';
import { shared } from '../support/shared.ts';

const keeping = shared(startListKeeping);

const many = (count: number, label: string) =>
  Array.from({ length: count }, (_, index) => ({ value: `V${index}`, label: `${label} ${index}` }));
const valuesOf = (step: Step | undefined) => step?.changes.map(({ value }) => value);

describe('a version with more than 1,000 changes', () => {
  const all = many(2300, 'x').map(({ value }) => value);
  beforeAll(async () => {
    await keeping.apply('large', many(2300, 'First'));
    await keeping.apply('large', many(2300, 'Second'));
    await keeping.change('PATCH', 'large', '/items/V7', { label: 'Third' });
  });

  test('says how many are left out, and is read to its end', async () => {
    const [newest, large, oldest] = await keeping.history('large');
    expect([newest?.version, newest?.changes.length, newest?.changesLeftOut]).toEqual([3, 1, undefined]);
    expect([large?.version, large?.changes.length, large?.changesLeftOut]).toEqual([2, 999, 1301]);
    expect([oldest?.version, oldest?.changes.length, oldest?.changesLeftOut]).toEqual([1, 0, 2300]);

    const seen: (string | null)[] = [];
    const answers: [number, number | undefined][] = [];
    for (let left: number | undefined = 1; left !== undefined && answers.length < 5; ) {
      const [first] = await keeping.history('large', `?before=3&limit=1&changesFrom=${seen.length}`);
      expect(first?.version).toBe(2);
      seen.push(...(valuesOf(first) ?? []));
      left = first?.changesLeftOut;
      answers.push([first?.changes.length ?? 0, left]);
    }
    expect(answers).toEqual([
      [1000, 1300],
      [1000, 300],
      [300, undefined],
    ]);
    expect(seen).toEqual(all);
  });

  test('changesFrom applies only to the first version: the others begin with their first change', async () => {
    const [first, second] = await keeping.history('large', '?before=3&changesFrom=2000');
    expect([valuesOf(first), first?.changesLeftOut]).toEqual([all.slice(2000), undefined]);
    expect([valuesOf(second), second?.changesLeftOut]).toEqual([all.slice(0, 700), 1600]);
    const [behind] = await keeping.history('large', '?before=3&limit=1&changesFrom=9999');
    expect([behind?.version, behind?.changes, behind?.changesLeftOut]).toEqual([2, [], undefined]);
  });

  test.each(['-1', '1.5', 'x'])('changesFrom=%s is 400', async (from) => {
    expect((await keeping.get(`/admin/lookups/large/history?changesFrom=${from}`)).status).toBe(400);
  });

  test('in a conflict says what is left out', async () => {
    const late = await keeping.send('PATCH', '/large/items/V1', { label: 'Late' }, 1);
    const { changes } = (await late.json()) as { changes: Step[] };
    expect([late.status, changes.map(({ version, changesLeftOut }) => [version, changesLeftOut])]).toEqual([
      412,
      [
        [3, undefined],
        [2, 1301],
      ],
    ]);
  });
});

describe('many versions', () => {
  beforeAll(async () => {
    await keeping.apply('busy', [{ value: 'A', label: 'Version 1' }]);
    for (let version = 2; version <= 60; version++) {
      await keeping.change('PATCH', 'busy', '/items/A', { label: `Version ${version}` });
    }
  });

  test.each([
    [1, 50, 9],
    [9, 50, 1],
    [10, 50, undefined],
    [59, 1, undefined],
  ])(
    'since version %d: a conflict holds the newest %d and says that %p more are left out',
    async (seen, held, left) => {
      const late = await keeping.send('PATCH', '/busy/items/A', { label: 'Late' }, seen);
      const problem = (await late.json()) as { version: number; changes: Step[]; versionsLeftOut?: number };
      expect([late.status, problem.version, problem.changes.length, problem.versionsLeftOut]).toEqual([
        412,
        60,
        held,
        left,
      ]);
      expect(problem.changes[0]?.version).toBe(60);
    },
  );

  test('a document made from an old version gets the same conflict', async () => {
    const lists = { busy: { version: 1, items: [{ value: 'A', label: 'Late' }] } };
    const late = await keeping.send('POST', '/apply', { lists });
    expect([late.status, await late.json()]).toMatchObject([412, { list: 'busy', version: 60, versionsLeftOut: 9 }]);
  });

  test('a page of the history names the next one, until there is none', async () => {
    const pages: number[][] = [];
    const path = '/admin/lookups/busy/history';
    for (let next: string | undefined = '?limit=25'; next !== undefined && pages.length < 5; ) {
      const response = await keeping.get(path + next);
      expect(response.status).toBe(200);
      const steps = (await response.json()) as Step[];
      pages.push(steps.map(({ version }) => version));
      next = /^<(\?[^>]*)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
    }
    expect(pages.map((versions) => versions.length)).toEqual([25, 25, 10]);
    expect(pages.flat()).toEqual(Array.from({ length: 60 }, (_, index) => 60 - index));
  });

  test('the command line reports it as well', async () => {
    const run = (...words: string[]) =>
      runToEnd(['lookups', 'history', ...words], keeping.desk.commandEnv, keeping.desk.folder);
    expect((await run('busy', '--limit', '2')).stdout).toEndWith(
      '\n58 older versions: lookups history busy --limit 60\n',
    );
    expect((await run('busy', '--limit', '60')).stdout).not.toContain('older');
  });
});

describe('an undo', () => {
  beforeAll(async () => {
    await keeping.apply('undone', [{ value: 'A', label: 'One' }]);
    await keeping.change('PATCH', 'undone', '/items/A', { label: 'Two' });
    await keeping.change('PATCH', 'undone', '/items/A', { label: 'Three' });
    await keeping.change('POST', 'undone', '/undo', { version: 1, reason: 'a mistake' });
  });

  test('differs from a change in that it names the restored version', async () => {
    const steps = await keeping.history('undone');
    expect(steps.map(({ version, restoredVersion }) => [version, restoredVersion])).toEqual([
      [4, 1],
      [3, undefined],
      [2, undefined],
      [1, undefined],
    ]);
    const late = await keeping.send('PATCH', '/undone/items/A', { label: 'Late' }, 3);
    expect(await late.json()).toMatchObject({ changes: [{ version: 4, restoredVersion: 1 }] });
  });

  test('is recorded as an undo in the audit', async () => {
    const rows = await keeping.desk.get(
      '/admin/audit?type=list-changed&limit=1',
      bearer(await keeping.desk.signIn('E-1006')),
    );
    expect(await rows.json()).toMatchObject([{ detail: 'undone version 4, restoring version 1' }]);
  });

  test('from the command line is marked in the same way, and shown there', async () => {
    const run = (...words: string[]) => runToEnd(['lookups', ...words], keeping.desk.commandEnv, keeping.desk.folder);
    expect((await run('undo', 'undone', '2')).exitCode).toBe(0);
    expect((await keeping.history('undone', '?limit=1'))[0]).toMatchObject({ version: 5, restoredVersion: 2 });
    const { stdout } = await run('history', 'undone');
    expect(stdout).toMatch(/^version 5, restoring version 2 {2}\S+ {2}command line/);
    expect(stdout).toMatch(/^version 4, restoring version 1 {2}\S+ {2}E-1001 {2}a mistake$/m);
    expect(stdout).toMatch(/^version 3 {2}\S+ {2}E-1001$/m);
  });

  test('that changes nothing is no version', async () => {
    const { version } = await keeping.read('undone');
    expect((await keeping.change('POST', 'undone', '/undo', { version })).version).toBe(version);
  });
});
