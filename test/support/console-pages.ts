// Every page of the console in each of its states, for pictures and for tests that apply to all pages.
import type { BrowserContextOptions, Page } from 'playwright-core';
import { type Console, paste } from './console.ts';

export interface ConsoleState {
  name: string;
  /** The person who is signed in; undefined if nobody is. */
  person: string | undefined;
  /** The part of the address after `#/`. */
  hash: string;
  /** Brings the page into the state. Must work in either language. */
  reach?: (page: Page) => Promise<unknown>;
  /** Waits until everything is shown; by default, waits for the page's heading. */
  shows?: (page: Page) => Promise<unknown>;
  /** Discards unsaved input, which would block the next page. */
  leave?: (page: Page) => Promise<unknown>;
  /** Whether this state is a page with its own title. */
  isPage?: boolean;
}

const button = (page: Page, name: RegExp) => page.getByRole('button', { name }).first();
const press = (name: RegExp) => (page: Page) => button(page, name).click();
const dialog = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog')).first().waitFor();
const menu = (page: Page) => page.getByRole('menu').waitFor();
const grid = (page: Page) => page.getByText('Accountant', { exact: true }).first().waitFor();
const text = (pattern: RegExp) => (page: Page) => page.getByText(pattern).first().waitFor();

const list = 'lists/department';
export const keeper = 'E-1001';
const [employee, auditor] = ['E-1003', 'E-1006'];

export const consoleStates: ConsoleState[] = [
  { name: 'welcome', person: undefined, hash: '', isPage: true, shows: text(/^(Sign in|Anmelden)$/) },
  { name: 'home', person: keeper, hash: '', isPage: true, shows: text(/^(Department|Abteilung)$/) },
  { name: 'lists', person: keeper, hash: 'lists', isPage: true, shows: text(/^(Department|Abteilung)$/) },
  { name: 'new-list', person: keeper, hash: 'lists', reach: press(/^(New list|Neue Liste)$/), shows: dialog },
  {
    name: 'go-to',
    person: keeper,
    hash: list,
    reach: async (page) => {
      await grid(page);
      await page.keyboard.press('Control+k');
      await page
        .getByRole('option', { name: /^(Department|Abteilung)/ })
        .first()
        .waitFor();
    },
    shows: dialog,
    leave: (page) => page.keyboard.press('Escape'),
  },
  {
    name: 'go-to-found',
    person: keeper,
    hash: list,
    reach: async (page) => {
      await grid(page);
      await page.keyboard.press('Control+k');
      await page.keyboard.type('log');
    },
    shows: (page) => page.getByRole('option', { name: /^Logistics/ }).waitFor(),
    leave: (page) => page.keyboard.press('Escape'),
  },
  {
    name: 'keyboard',
    person: keeper,
    hash: list,
    reach: async (page) => {
      await grid(page);
      await page.keyboard.press('?');
    },
    shows: dialog,
    leave: (page) => page.keyboard.press('Escape'),
  },
  { name: 'list', person: keeper, hash: list, isPage: true, shows: grid },
  {
    name: 'list-selection',
    person: keeper,
    hash: list,
    reach: async (page) => {
      await grid(page);
      await page.getByRole('checkbox', { name: /Accountant/ }).click({ force: true });
    },
    shows: text(/^1 (selected|ausgewählt)$/),
  },
  {
    name: 'list-row-menu',
    person: keeper,
    hash: list,
    reach: press(/^(Actions for|Aktionen für) Accountant/),
    shows: menu,
  },
  { name: 'lists-export', person: keeper, hash: 'lists', reach: press(/^(Export|Exportieren)$/), shows: menu },
  {
    name: 'list-day',
    person: keeper,
    hash: list,
    reach: press(/^(Preview a day|Vorschau für einen Tag)$/),
    shows: dialog,
  },
  {
    name: 'list-paste',
    person: keeper,
    hash: list,
    reach: async (page) => {
      await grid(page);
      await paste(page, 'Welder\nlegal\nNight porter');
    },
    shows: dialog,
    leave: async (page) => {
      await button(page, /^(Cancel|Abbrechen)$/).click();
      await button(page, /^(Discard|Verwerfen)$/).click();
    },
  },
  { name: 'value', person: keeper, hash: `${list}/values/ACCOUNTANT`, isPage: true, shows: dialog },
  { name: 'value-new', person: keeper, hash: `${list}/new`, shows: dialog },
  {
    name: 'value-discard',
    person: keeper,
    hash: `${list}/new`,
    reach: async (page) => {
      await page.getByRole('textbox', { name: /^(Label|Bezeichnung)$/ }).fill('Half a');
      await page.keyboard.press('Escape');
    },
    shows: (page) => button(page, /^(Keep editing|Weiter bearbeiten)$/).waitFor(),
    leave: press(/^(Discard|Verwerfen)$/),
  },
  {
    name: 'value-retire',
    person: keeper,
    hash: `${list}/values/LEGAL`,
    reach: press(/^(Retire|Deaktivieren) ?…$/),
    shows: (page) => page.getByRole('button', { name: /^(Cancel|Abbrechen)$/ }).waitFor(),
    leave: async (page) => {
      const cancel = page.getByRole('button', { name: /^(Cancel|Abbrechen)$/ });
      // If Tab has reached the replacement field, the field's open options cover the button.
      if ((await cancel.count()) === 0) await page.keyboard.press('Escape');
      await cancel.click();
    },
  },
  {
    name: 'translations',
    person: keeper,
    hash: `${list}/translations`,
    isPage: true,
    shows: (page) => page.getByRole('grid').waitFor(),
  },
  { name: 'history', person: keeper, hash: `${list}/history`, isPage: true, shows: text(/Ada Park/) },
  { name: 'version', person: keeper, hash: `${list}/history/1`, isPage: true, shows: grid },
  {
    name: 'version-compared',
    person: keeper,
    hash: `${list}/history/2?with=1`,
    isPage: true,
    shows: text(/^Logistics and transport$/),
  },
  {
    name: 'version-restore',
    person: keeper,
    hash: `${list}/history/1`,
    reach: press(/^(Restore this version|Diese Version wiederherstellen)/),
    shows: dialog,
  },
  {
    name: 'list-import',
    person: keeper,
    hash: `${list}/import`,
    isPage: true,
    shows: text(/^(Choose file|Datei auswählen)/),
  },
  {
    name: 'import-columns',
    person: keeper,
    hash: `${list}/import`,
    reach: async (page) => {
      const buffer = Buffer.from('Value,Label,German,Available from\nLEGAL,Legal affairs,Recht,2027-01-31\n');
      await page
        .locator('input[type=file]')
        .first()
        .setInputFiles({ name: 'values.csv', mimeType: 'text/csv', buffer });
    },
    shows: text(/^(Check the columns|Prüfen Sie die Spalten|Spalten prüfen)/),
  },
  {
    name: 'import-faults',
    person: keeper,
    hash: `${list}/import`,
    reach: async (page) => {
      const buffer = Buffer.from(
        'Value,Label,Available from\nLEGAL,Legal affairs,soon\nPEOPLE,People,\nnew one,New,\n',
      );
      await page
        .locator('input[type=file]')
        .first()
        .setInputFiles({ name: 'values.csv', mimeType: 'text/csv', buffer });
      await button(page, /^(Continue|Weiter)$/).click();
    },
    shows: text(/^2 (problems in the file|Probleme in der Datei)$/),
  },
  {
    name: 'import-left-out',
    person: keeper,
    hash: `${list}/import`,
    reach: async (page) => {
      const buffer = Buffer.from('Value,Label,Available from\nLEGAL,Legal affairs,soon\nPEOPLE,People,\n');
      await page
        .locator('input[type=file]')
        .first()
        .setInputFiles({ name: 'values.csv', mimeType: 'text/csv', buffer });
      await button(page, /^(Continue|Weiter)$/).click();
      await button(page, /^(Import the other row|Die übrige Zeile importieren)$/).click();
    },
    shows: text(/^1 (row is left out|Zeile wird ausgelassen)$/),
  },
  { name: 'settings', person: keeper, hash: `${list}/settings`, isPage: true, shows: text(/^(Title|Titel)$/) },
  { name: 'import', person: keeper, hash: 'import', isPage: true, shows: text(/^(Choose file|Datei auswählen)/) },
  {
    name: 'preview',
    person: keeper,
    hash: 'preview',
    isPage: true,
    shows: text(/^(What would be stored|Was gespeichert würde)$/),
  },
  { name: 'profile', person: keeper, hash: 'profile', isPage: true, shows: text(/^(This session|Diese Sitzung)$/) },
  {
    name: 'profile-end-sessions',
    person: keeper,
    hash: 'profile',
    reach: press(/^(End all other|Alle anderen)/),
    shows: (page) => page.getByRole('alertdialog').waitFor(),
    leave: press(/^(Cancel|Abbrechen)$/),
  },
  {
    name: 'profile-session-ended',
    person: keeper,
    hash: 'profile',
    reach: press(/^(End session|Sitzung beenden): /),
    shows: text(/^(Session ended|Sitzung beendet): /),
  },
  {
    name: 'toast-error',
    person: keeper,
    hash: 'profile',
    reach: async (page) => {
      await page.route('**/auth/sessions/*', (route) => route.abort());
      await button(page, /^(End session|Sitzung beenden): /).click();
    },
    shows: (page) => button(page, /^(Retry|Erneut versuchen)$/).waitFor(),
    leave: async (page) => {
      await page.unroute('**/auth/sessions/*');
      const close = page.locator('.toast').getByRole('button', { name: /^(Close|Schließen)$/ });
      while ((await close.count()) > 0) await close.first().click();
    },
  },
  { name: 'not-found', person: keeper, hash: 'no-such-page', isPage: true, shows: text(/^(Go home|Zur Startseite)$/) },
  { name: 'home-employee', person: employee, hash: '', shows: text(/maria\.ruiz/) },
  { name: 'preview-employee', person: employee, hash: 'preview', shows: text(/^(Another language|Andere Sprache)$/) },
  { name: 'no-permission', person: employee, hash: 'lists', shows: text(/^(Go home|Zur Startseite)$/) },
  { name: 'audit', person: auditor, hash: 'audit', isPage: true, shows: text(/Ines Duarte (read|hat das)/) },
  {
    name: 'audit-change',
    person: auditor,
    hash: 'audit?list=department',
    reach: (page) => page.locator('summary').first().click(),
    shows: text(/Logistics and transport/),
  },
  {
    name: 'audit-details',
    person: auditor,
    hash: 'audit',
    reach: async (page) => {
      await page.locator('summary').first().click();
      await page.getByText('Details', { exact: true }).click();
    },
    shows: text(/^(Request ID|Anfrage-ID)$/),
  },
  { name: 'audit-export', person: auditor, hash: 'audit', reach: press(/^Export/), shows: menu },
  {
    name: 'audit-nothing',
    person: auditor,
    hash: 'audit?person=nobody',
    shows: text(/^(No entries match|Zu diesen Filtern)/),
  },
];

/** Creates the data for the states: a list with every kind of item, and a second version of it. */
export async function prepareStates(app: Console): Promise<void> {
  const labels = (de: string, fr?: string) => ({ labels: { de, ...(fr !== undefined && { fr }) } });
  const items = [
    {
      value: 'ACCOUNTANT',
      label: 'Accountant',
      ...labels('Buchhaltung', 'Comptabilité'),
      codes: { workday: 'JP-113' },
    },
    { value: 'LEGAL', label: 'Legal', ...labels('Recht', 'Juridique'), tags: ['office'] },
    { value: 'LOGISTICS', label: 'Logistics', ...labels('Logistik') },
    { value: 'PEOPLE', label: 'People and culture', ...labels('Personal') },
    { value: 'ROBOTICS', label: 'Robotics', validFrom: '2099-01-01' },
    { value: 'TYPING_POOL', label: 'Typing pool', retired: true },
  ];
  await app.apply({
    department: {
      title: 'Department',
      titles: { de: 'Abteilung' },
      description: 'Where people work',
      descriptions: { de: 'Wo die Leute arbeiten' },
      items: items.map((item, index) => ({ ...item, sortOrder: (index + 1) * 10 })),
    },
  });
  await app.apply({ department: { items: [{ value: 'LOGISTICS', label: 'Logistics and transport' }] } });
}

/** Opens the console as this person. The page is used for all states that have this person. */
export async function openAs(app: Console, person: string | undefined, options: BrowserContextOptions): Promise<Page> {
  if (person !== undefined) return app.enter(person, options);
  const page = await app.open(options);
  await page.goto(`${app.desk.url}/`);
  return page;
}

/** Goes from any state to this one. */
export async function goTo(page: Page, { hash, reach, shows }: ConsoleState): Promise<void> {
  // Goes to another page first, so that dialogs and menus are gone.
  await page.evaluate("location.hash = '#/between'");
  await page.evaluate(`location.hash = '#/${hash}'`);
  await page.getByRole('heading', { level: 1, includeHidden: true }).waitFor({ state: 'attached' });
  await reach?.(page);
  await shows?.(page);
  // Waits until it is rendered and its animations have finished.
  await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {})))');
}
