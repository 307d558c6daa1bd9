// People and programs with different rights to lists, and lists to test those rights with.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addOwnKeyCaller, makeSigner } from './callers.ts';
import { makeFolder, startFrontdesk } from './frontdesk.ts';
import { type ListKeeping, listKeeping } from './lists.ts';

const roles = {
  admin: ['LOOKUP_ADMIN'],
  'keeper-a': ['KEEPS A'],
  'keeper-b': ['KEEPS B'],
  'reader-a': ['READS A'],
  planner: ['LOOKUP_PLANNER'],
  auditor: ['AUDITOR'],
  anybody: [],
};
export type Who = keyof typeof roles | 'program' | 'nobody';
/** Everybody with a column in the tables of rights, in the order of the columns. */
export const everybody: Who[] = [...(Object.keys(roles) as (keyof typeof roles)[]), 'program', 'nobody'];

/**
 * `list-a` and `list-b` have their own readers and keepers; `list-gone` is archived and has the keepers of `list-a`. The
 * program has the role of `reader-a`. `nobody` has no token.
 */
export async function startWithListPeople(env: Record<string, string> = {}) {
  const folder = makeFolder();
  const file = join(folder, 'people.json');
  const people = Object.entries(roles).map(([sub, its]) => ({ sub, name: sub, roles: its }));
  writeFileSync(file, JSON.stringify({ people }));
  const desk = await startFrontdesk({ DEV_PEOPLE: file, ...env }, folder);
  const tokens = new Map<Who, string>();
  for (const { sub } of people) tokens.set(sub as Who, await desk.signIn(sub));
  const tokenOf = (who: Who) => tokens.get(who) ?? '';
  const keeping = listKeeping(desk, tokenOf('admin'));
  const items = [{ value: 'ONE', label: 'One' }];
  await applyDocument(keeping, {
    'list-a': { readers: ['READS A'], keepers: ['KEEPS A'], items },
    'list-b': { readers: ['READS B'], keepers: ['KEEPS B'], items },
    'list-gone': { keepers: ['KEEPS A'], archived: true, items },
  });
  // Registered after the lists are created, because a program can only have roles that a list or a setting names.
  tokens.set('program', await (await addOwnKeyCaller(desk, 'program', await makeSigner(), 'READS A'))());
  return { desk, tokenOf, keeping };
}

async function applyDocument(keeping: ListKeeping, lists: object): Promise<void> {
  const response = await keeping.send('POST', '/apply', { lists });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
}
