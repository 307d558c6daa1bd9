// npm run pictures: a picture of every page of the console, for the documents and for review.
import { mkdirSync } from 'node:fs';
import type { BrowserContextOptions } from 'playwright-core';
import { startConsole } from './support/console.ts';
import { consoleStates, goTo, openAs, prepareStates } from './support/console-pages.ts';

const folder = 'docs/pictures';
/** The pictures in the documents. All others are written to the tests' output folder. */
const inDocuments = new Set([
  'welcome',
  'home',
  'home-employee',
  'lists',
  'go-to-found',
  'keyboard',
  'list',
  'list-day',
  'list-paste',
  'value',
  'value-new',
  'value-retire',
  'translations',
  'history',
  'version',
  'version-compared',
  'list-import',
  'import-columns',
  'import-faults',
  'import',
  'settings',
  'preview',
  'profile',
  'audit',
  'audit-change',
]);

const looks: [string, BrowserContextOptions][] = [
  ['light', {}],
  ['dark', { colorScheme: 'dark' }],
  ['phone', { viewport: { width: 390, height: 844 } }],
  ['german', { locale: 'de-DE' }],
];

const chosen = process.argv.slice(2);
const app = await startConsole();
await prepareStates(app);
for (const [look, options] of looks) {
  for (const person of new Set(consoleStates.map((state) => state.person))) {
    if (person !== undefined) for (let times = 0; times < 3; times++) await app.desk.signIn(person);
    const states = consoleStates.filter(({ name, ...state }) => state.person === person && isChosen(name));
    if (states.length === 0) continue;
    const page = await openAs(app, person, { reducedMotion: 'reduce', ...options });
    for (const state of states) {
      if (person === undefined) await state.shows?.(page);
      else await goTo(page, state);
      const isDocument = inDocuments.has(state.name);
      const path = isDocument ? `${folder}/${look}` : `test/output/pictures/${look}`;
      mkdirSync(path, { recursive: true });
      // The pointer would otherwise highlight what is under it.
      await page.mouse.move(0, 0);
      await page.screenshot({ path: `${path}/${state.name}.png`, scale: 'css' });
      await state.leave?.(page);
    }
    await page.context().close();
  }
}
await app.stop();
process.stdout.write(`Pictures are in ${folder} and test/output/pictures.\n`);
process.exit(0);

function isChosen(name: string): boolean {
  return chosen.length === 0 || chosen.includes(name);
}
