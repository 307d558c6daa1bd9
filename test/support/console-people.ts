// The console for people with different rights to lists.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startConsole } from './console.ts';
import { makeFolder } from './frontdesk.ts';

const people = [
  { sub: 'E-1001', name: 'Ada Park', roles: ['LOOKUP_ADMIN'] },
  { sub: 'E-2001', name: 'Kim Keeper', roles: ['KEEPS GRADES'] },
  { sub: 'E-2002', name: 'Pat Planner', roles: ['LOOKUP_PLANNER'] },
  { sub: 'E-2003', name: 'Bo Lind', roles: ['LOOKUP_ADMIN'] },
];
/** The keeper keeps lists that name the role KEEPS GRADES. The planner sees all lists, and may change none. */
export const [keeper, planner, colleague] = ['E-2001', 'E-2002', 'E-2003'];
export const keptByKeeper = { keepers: ['KEEPS GRADES'] };

/** E-1001 and the colleague keep all lists. */
export async function startConsoleWithPeople() {
  const file = join(makeFolder(), 'people.json');
  writeFileSync(file, JSON.stringify({ people }));
  return startConsole({ DEV_PEOPLE: file });
}
