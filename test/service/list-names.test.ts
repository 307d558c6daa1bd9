// Who changed a list is shown by name, but only for people who are known.
import { expect, test } from 'bun:test';
import { addOwnKeyCaller, makeSigner } from '../support/callers.ts';
import { listKeeping, type Step, startListKeeping } from '../support/lists.ts';
import { runToEnd } from '../support/process.ts';
import { shared } from '../support/shared.ts';

const keeping = shared(startListKeeping);

const run = (...words: string[]) => runToEnd(words, keeping.desk.commandEnv, keeping.desk.folder);
const namesIn = (steps: Step[]) => steps.map(({ version, by, byName }) => [version, by, byName]);

test('the history and a conflict have names for people, but none for programs and the command line', async () => {
  const program = await (await addOwnKeyCaller(keeping.desk, 'payroll', await makeSigner(), 'LOOKUP_ADMIN'))();
  await listKeeping(keeping.desk, program).change('PATCH', 'position', '/items/ACCOUNTANT', { label: 'By a program' });
  await keeping.change('PATCH', 'position', '/items/ACCOUNTANT', { label: 'By Ada' });
  expect((await run('lookups', 'undo', 'position', '2', '--as', 'E-1001')).exitCode).toBe(0);
  const since = [
    [4, 'command line (E-1001)', null],
    [3, 'E-1001', 'Ada Park'],
    [2, 'caller:payroll', null],
  ];
  expect(namesIn(await keeping.history('position'))).toEqual([...since, [1, expect.any(String), null]]);
  const late = await keeping.send('PATCH', '/position/items/ACCOUNTANT', { label: 'Late' }, 1);
  const { changes } = (await late.json()) as { changes: Step[] };
  expect([late.status, namesIn(changes)]).toEqual([412, since]);
  const document = { lists: { position: { version: 1, title: 'Late' } } };
  const planned = await keeping.send('POST', '/plan', document);
  expect([planned.status, namesIn(((await planned.json()) as { changes: Step[] }).changes)]).toEqual([412, since]);
});

test('a forgotten person has no name', async () => {
  expect((await run('people', 'forget', 'E-1001')).exitCode).toBe(0);
  const other = await keeping.desk.signIn('E-1001');
  await listKeeping(keeping.desk, other).change('PATCH', 'employee-level', '/items/LEAD', { label: 'By a new Ada' });
  const history = await listKeeping(keeping.desk, other).history('position', '?before=4&limit=1');
  expect(namesIn(history)).toEqual([[3, expect.stringMatching(/^forgotten/), null]]);
  const [newest] = await listKeeping(keeping.desk, other).history('employee-level');
  expect([newest?.by, newest?.byName]).toEqual(['E-1001', 'Ada Park']);
});
