// The console for people with different rights to lists.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startConsole } from './console.ts';
import { makeFolder } from './frontdesk.ts';

const people = [
  { sub: 'E-1001', name: 'Ada Park', roles: ['LOOKUP_ADMIN'] },
  { sub: 'E-2001', name: 'Kim Keeper', roles: ['KEEPS GRADES'] },
  { sub: 'E-2002', name: 'Pat Planner', roles: ['LOOKUP_PLANNER'] },
];

/** E-1001 keeps all lists, E-2001 those that name the role KEEPS GRADES, E-2002 sees all and may change none. */
export async function startConsoleWithPeople() {
  const file = join(makeFolder(), 'people.json');
  writeFileSync(file, JSON.stringify({ people }));
  return startConsole({ DEV_PEOPLE: file });
}
