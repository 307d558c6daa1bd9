// Home, the preview form, profile and audit in a real browser, and pages that cannot be loaded.
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import type { AuditRow } from '../../src/audit/audit.schema.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { paste, startConsole } from '../support/console.ts';
import { bearer } from '../support/frontdesk.ts';
import { sharedConsole } from '../support/shared.ts';
import { until } from '../support/waiting.ts';

const app = sharedConsole(startConsole);
let page: Page;

const sections = (name: string) => page.getByRole('region', { name });

describe('home', () => {
  test('shows keepers what changed last, by whom, and what is left to do', async () => {
    page = await app.enter('E-1001');
    const attention = sections('Needs attention');
    await attention.getByText('Nothing needs your attention.').waitFor();
    const list = await app.makeList([
      { label: 'One', labels: { de: 'Eins', fr: 'Un' } },
      { label: 'Two', labels: { de: 'Zwei' } },
      { label: 'Three', validFrom: '2099-01-01', labels: { de: 'Drei' } },
    ]);
    const recent = sections('Recently changed');
    await recent.getByText(/^\d\d:\d\d by Ada Park$/).waitFor();
    const title = list.replace('grade-', 'Grade ');
    await recent.getByRole('listitem').first().filter({ hasText: title }).waitFor();
    await attention.getByText('2 translations are missing: French').waitFor();
    await attention.getByText('1 value becomes available later').waitFor();
    await attention.getByRole('link', { name: title, exact: true }).click();
    await until(async () => page.url().endsWith(`#/lists/${list}/translations`));
    // When a colleague translates the rest, this list disappears from the section without a reload. The section still names
    // lists without any translations, because French and German are now in use and these lists lack both.
    await page.goBack();
    await attention.waitFor();
    await app.changeItem(list, 'TWO', { labels: { fr: 'Deux' } });
    await app.changeItem(list, 'THREE', { labels: { fr: 'Trois' }, validFrom: null });
    await attention.getByRole('link', { name: title, exact: true }).waitFor({ state: 'detached' });
    await attention
      .getByText(/missing: French, German$|missing: German, French$/)
      .first()
      .waitFor();
  });

  test('shows others their own details and the preview form, and nothing they may not open', async () => {
    page = await app.enter('E-1003');
    await page.getByText('maria.ruiz@example.com').waitFor();
    expect(await sections('Quick links').getByRole('link').allInnerTexts()).toEqual(['Preview form', 'Your sessions']);
    // The page has nothing for developers, such as a link to the API docs or an example request.
    expect(await page.getByRole('link', { name: 'API docs' }).count()).toBe(0);
    await sections('Quick links').getByRole('link', { name: 'Your sessions' }).click();
    await sections('Your sessions').getByText('This session').waitFor();
    await page.goBack();
    await sections('Quick links').getByRole('link', { name: 'Preview form' }).click();
    await page.getByRole('heading', { level: 1, name: 'Preview form' }).waitFor();
    await page.getByRole('combobox', { name: 'Position', exact: true }).waitFor();
    expect(await page.locator('pre').count()).toBe(0);
  });

  test('shows others with ? only the keys that they can use', async () => {
    page = await app.enter('E-1003');
    await page.keyboard.press('?');
    const map = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await map.waitFor();
    expect(await map.getByRole('term').allInnerTexts()).toEqual([
      'Go to a page',
      'Show this overview',
      'Go to notifications',
      'Close a dialog, panel or menu',
    ]);
    await page.keyboard.press('Escape');
  });

  test('shows auditors the lists, and nothing for developers', async () => {
    page = await app.enter('E-1006');
    await sections('Recently changed').waitFor();
    expect(await sections('Quick links').getByRole('link').allInnerTexts()).toEqual(['Preview form', 'Audit log']);
    expect(await page.getByRole('link', { name: 'API docs' }).count()).toBe(0);
    await sections('Quick links').getByRole('link', { name: 'Preview form' }).click();
    await page.getByRole('combobox', { name: 'Position', exact: true }).waitFor();
    expect(await page.locator('pre').count()).toBe(0);
  });

  test('links keepers to the API docs', async () => {
    page = await app.enter('E-1001');
    await sections('Quick links').getByRole('link', { name: 'API docs' }).waitFor();
    expect(await page.getByRole('banner').getByRole('link', { name: 'API docs' }).count()).toBe(1);
  });
});

describe('the preview form', () => {
  const open = async (person = 'E-1001') => {
    page = await app.enter(person, {}, 'preview');
    await dropdown('Position').waitFor();
  };
  const dropdown = (title: string) => page.getByRole('combobox', { name: title, exact: true });
  const code = () => page.locator('pre').allTextContents();
  const stored = (text: string) => page.locator('pre').first().filter({ hasText: text });

  async function addList(title: string): Promise<void> {
    await page.getByRole('button', { name: /Add list/ }).click();
    await page.getByRole('option', { name: title, exact: true }).click();
  }

  async function chooseLanguage(name: string): Promise<void> {
    await page.getByRole('button', { name: /Language of labels/ }).click();
    await page.getByRole('option', { name, exact: true }).click();
  }

  test('has the lists that every service has, and shows what would be stored', async () => {
    await open();
    await dropdown('Position').selectOption({ label: 'Accountant' });
    await stored('ACCOUNTANT').waitFor();
    expect(JSON.parse((await code())[0] ?? '')).toEqual({
      position: 'ACCOUNTANT',
      'overtime-eligibility': null,
      'employment-type': null,
      'employee-level': null,
    });
    await dropdown('Employee level').focus();
    await page.getByRole('heading', { name: 'Request for “Employee level”' }).waitFor();
    expect((await code())[1]).toContain(`curl '${app.desk.url}/employee/employee-level'`);
    // Code reads from left to right, even on a right-to-left page.
    expect(await page.locator('pre').first().getAttribute('dir')).toBe('ltr');
  });

  test('can add any list by its title, and remove it', async () => {
    await app.makeList(['Clerk', 'Lead'], { title: 'Pay grade' });
    await open();
    await addList('Pay grade');
    await dropdown('Pay grade').selectOption({ label: 'Lead' });
    await stored('"LEAD"').waitFor();
    await page.getByRole('heading', { name: 'Request for “Pay grade”' }).waitFor();
    await page.getByRole('button', { name: 'Remove Pay grade' }).click();
    await dropdown('Pay grade').waitFor({ state: 'detached' });
    expect((await code())[0]).not.toContain('"LEAD"');
  });

  test('shows labels in a language chosen by name, which the request also names', async () => {
    const labels = { de: 'Angestellte', 'pt-BR': 'Escriturário' };
    await app.makeList([{ label: 'Clerk', labels }, 'Lead'], { title: 'Translated grade' });
    await open();
    await addList('Translated grade');
    await dropdown('Translated grade').getByRole('option', { name: 'Clerk' }).waitFor({ state: 'attached' });
    await chooseLanguage('German');
    await page.getByRole('option', { name: 'Angestellte' }).waitFor({ state: 'attached' });
    expect(await dropdown('Translated grade').getByRole('option').allTextContents()).toContain('Lead');
    expect(await code()).toEqual([
      expect.any(String),
      expect.stringContaining("-H 'Accept-Language: de'"),
      expect.stringMatching(/frontdesk\.lookup\('grade-\d+', \{ language: 'de' \}\);/),
    ]);
    await page.getByRole('combobox', { name: 'Another language' }).fill('suomi');
    await page.getByRole('option', { name: /Finnish/ }).click();
    await page.getByRole('button', { name: /Finnish/ }).waitFor();
    await page.locator('pre', { hasText: 'Accept-Language: fi' }).first().waitFor();
  });

  test('follows changes by others, and keeps a chosen value that is retired meanwhile', async () => {
    const list = await app.makeList(['Clerk', 'Lead'], { title: 'Live grade' });
    await open();
    await addList('Live grade');
    await dropdown('Live grade').selectOption({ label: 'Lead' });
    await app.changeItem(list, 'CLERK', { label: 'Senior clerk' });
    await page.getByRole('option', { name: 'Senior clerk' }).waitFor({ state: 'attached' });
    const { version } = await app.keptList(list);
    await app.call(`/admin/lookups/${list}/items/LEAD/retire`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'if-match': `"${version}"` },
      body: '{}',
    });
    await app.changeItem(list, 'CLERK', { label: 'Head clerk' });
    await page.getByRole('option', { name: 'Head clerk' }).waitFor({ state: 'attached' });
    expect(await dropdown('Live grade').inputValue()).toBe('LEAD');
  });

  test('what is shown can be copied', async () => {
    await open();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    for (const [name, start] of [
      ['Copy what would be stored', '{'],
      ['Copy as curl', 'curl '],
      ['Copy as client code', 'const items'],
    ] as const) {
      await page.getByRole('button', { name }).click();
      await page.getByText('Copied').first().waitFor({ state: 'attached' });
      await until(async () => (await page.evaluate<string>('navigator.clipboard.readText()')).startsWith(start));
    }
  });

  test('shows people who keep no list its titles in their language, as they are now', async () => {
    const list = await app.makeList(['Clerk'], { title: 'Pay band', titles: { de: 'Gehaltsband' } });
    await open('E-1003');
    await addList('Pay band');
    await page.getByRole('button', { name: 'Remove Pay band' }).waitFor();
    await expectAccessible(page, 'preview without a role', 'all but contrast');
    await app.changeSettings(list, { title: 'Salary band' });
    await dropdown('Salary band').waitFor();

    await app.changeSettings('position', { titles: { de: 'Stelle' } });
    page = await app.enter('E-1003', { locale: 'de-DE' }, 'preview');
    await dropdown('Stelle').waitFor();
    await page.getByRole('button', { name: /Liste hinzufügen/ }).click();
    await page.getByRole('option', { name: 'Gehaltsband', exact: true }).waitFor();
    await app.changeSettings('position', { titles: { de: 'Position' } });
  });
});

test("the profile shows a person's sessions, ends one, even after a failure, all others after a confirmation, and this one", async () => {
  const elsewhere = await Promise.all([1, 2, 3, 4].map(() => app.desk.signIn('E-1002')));
  page = await app.enter('E-1002', {}, 'profile');
  const rows = sections('Your sessions').getByRole('listitem');
  const thereAre = (count: number) => until(async () => (await rows.count()) === count);
  const endOne = () =>
    rows
      .getByRole('button', { name: /^End session: .+, signed in / })
      .first()
      .click();
  await thereAre(5);
  const here = rows.filter({ hasText: 'This session' });
  expect(await here.getByRole('button').allInnerTexts()).toEqual(['Sign out here']);

  await endOne();
  await page.getByText(/^Session ended: /).waitFor();
  await thereAre(4);
  // The focus stays near the session that is gone.
  expect(await page.evaluate<string>('document.activeElement.id')).toBe('sessions');

  await page.route('**/auth/sessions/*', (route) => route.abort());
  await endOne();
  const message = page.getByRole('alertdialog').filter({ hasText: 'The session couldn’t be ended' });
  await message.waitFor();
  await thereAre(4);
  await page.unroute('**/auth/sessions/*');
  await message.getByRole('button', { name: 'Retry' }).click();
  await thereAre(3);

  await page.getByRole('button', { name: 'End all other sessions' }).click();
  const question = page.getByRole('alertdialog', { name: 'End all other sessions?' });
  await question.getByText('2 other sessions end immediately. You stay signed in here.').waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'detached' });
  await thereAre(3);
  await page.getByRole('button', { name: 'End all other sessions' }).click();
  await question.getByRole('button', { name: 'End all other sessions' }).click();
  await page.getByText('2 sessions ended').waitFor();
  await thereAre(1);
  for (const other of elsewhere) expect((await app.desk.get('/auth/me', bearer(other))).status).toBe(401);
  await page.reload();
  await page.getByText('This session').waitFor();
  // There are two sessions: that of this page, and one for the requests of app.call().
  const found = await app.call('/auth/sessions', {}, 'E-1002');
  expect(await found.json()).toHaveLength(2);
  await page.getByRole('button', { name: 'Sign out here' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  expect(await page.getByRole('link').count()).toBe(0);
});

describe('audit', () => {
  const rows = () => page.locator('summary');
  const filters = () => page.getByRole('form', { name: 'Filters' });

  /** Writes this many sign-in rows directly to the audit. */
  const addRows = async (count: number) => {
    const values = `'${new Date().toISOString()}', 'sign-in', 'E-1002', '', ''`;
    const { query } = app.desk.database;
    await query(
      `insert into audit (seq, at, type, person, salt, digest) with recursive n(i) as
       (select 1 union all select i + 1 from n where i < ${count}) select last + i, ${values} from n, audit_counter`,
    );
    await query(`update audit_counter set last = last + ${count}`);
  };

  test('reads as sentences, with the details on request', async () => {
    await app.makeList(['Clerk'], { title: 'Crafts' });
    page = await app.enter('E-1006', {}, 'audit');
    await page.getByText('Ada Park changed the list Crafts (version 1)').waitFor();
    await page.getByRole('heading', { level: 2, name: 'Today' }).waitFor();
    expect(await page.getByText('Request ID').first().isVisible()).toBe(false);
    await rows().first().click();
    await page.getByText('Ines Duarte (E-1006)').waitFor();
    expect(await page.getByText('Request ID').isVisible()).toBe(false);
    await page.getByText('Details', { exact: true }).click();
    await page.getByText('Request ID').waitFor();
  });

  test('names lists in German, and has its buttons beside the title', async () => {
    await app.makeList(['Koch'], { title: 'Kitchen', titles: { de: 'Küche' } });
    page = await app.enter('E-1006', { locale: 'de-DE' }, 'audit');
    await page.getByText('Ada Park hat die Liste Küche geändert (Version 1)').waitFor();
    await page.getByRole('button', { name: /Alle Listen/ }).click();
    await page.getByRole('option', { name: 'Küche', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    const title = await page.locator('.page-title').boundingBox();
    const button = await page.getByRole('button', { name: 'Exportieren' }).boundingBox();
    expect(button?.y ?? 0).toBeLessThan((title?.y ?? 0) + (title?.height ?? 0));
    // On a phone, even the long German names in the navigation fit into their links.
    await page.setViewportSize({ width: 390, height: 844 });
    const wide = `[...document.querySelectorAll('nav .bar-link')].filter((link) => link.scrollWidth > link.clientWidth)`;
    expect(await page.evaluate<string[]>(`${wide}.map((link) => link.innerText)`)).toEqual([]);
  });

  test('shows who changed what, with old and new values, filtered by list, name and words, in the sentences of the history', async () => {
    const list = await app.makeList(['Welder', 'Baker'], { title: 'Trades' });
    await app.changeItem(list, 'WELDER', { description: 'Metal', reason: 'Asked by HR' });
    await app.changeItem(list, 'WELDER', { label: 'Fitter', description: 'Steel' });
    await app.changeItem(list, 'BAKER', { label: 'Pastry cook' });
    page = await app.enter('E-1006', {}, 'audit');
    await rows().first().waitFor();
    await filters()
      .getByRole('button', { name: /All lists/ })
      .click();
    await page.getByRole('option', { name: 'Trades', exact: true }).click();
    await filters().getByRole('textbox', { name: 'Person' }).fill('park');
    await filters().getByRole('textbox', { name: 'Keywords' }).fill('welder');
    await until(async () => new URL(page.url()).hash === `#/audit?person=park&list=${list}&words=welder`);
    await until(async () => (await rows().count()) === 3);
    await rows().first().click();
    await page.getByText('renamed Welder to Fitter').waitFor();
    await page.getByText('changed the description of Fitter to Steel (before: Metal)').waitFor();
    await expectAccessible(page, 'what a change of a list changed', 'all but contrast');
    await page.getByRole('link', { name: 'View this version' }).click();
    await page.getByRole('heading', { level: 1, name: 'Version 3 of Trades' }).waitFor();
    expect(await page.getByRole('button', { name: 'Restore this version' }).count()).toBe(0);
    await page.goto(`${app.desk.url}/#/lists/${list}/history`);
    await page.getByText('renamed Baker to Pastry cook').waitFor();
    expect(await page.getByRole('button', { name: /^Undo/ }).count()).toBe(0);
    await page.goto(`${app.desk.url}/#/audit?list=${list}&words=nothing-like-it`);
    await page.getByText('No entries match these filters').waitFor();
  });

  test('is filtered by person, event and days, in an address that survives a reload and Back', async () => {
    await app.desk.signIn('E-1003');
    page = await app.enter('E-1006', {}, 'audit');
    await rows().first().waitFor();
    await filters().getByRole('textbox', { name: 'Person' }).fill(' E-1003 ');
    await until(async () => new URL(page.url()).hash === '#/audit?person=E-1003');
    await until(async () => (await rows().allInnerTexts()).every((text) => text.includes('Maria del Carmen Ruiz')));
    await filters()
      .getByRole('button', { name: /All events/ })
      .click();
    await page.getByRole('option', { name: 'Signed in', exact: true }).click();
    await until(async () => new URL(page.url()).hash === '#/audit?person=E-1003&type=sign-in');
    await page.reload();
    await rows().first().waitFor();
    expect(await filters().getByRole('textbox', { name: 'Person' }).inputValue()).toBe('E-1003');
    await page.goBack();
    await until(
      async () =>
        (await filters()
          .getByRole('button', { name: /All events/ })
          .count()) === 1,
    );
    await page.goto(`${app.desk.url}/#/audit?from=2020-01-01&to=2020-12-31`);
    await page.getByText('No entries match these filters').waitFor();
    await filters().getByRole('button', { name: 'Clear filters' }).click();
    await rows().first().waitFor();
    expect(new URL(page.url()).hash).toBe('#/audit');
    await page.goto(`${app.desk.url}/#/audit?from=2020-12-31&to=2020-01-01`);
    await page.getByText('Must not be before the start date').waitFor();
  });

  test('shows older entries page by page, and newer ones before them when asked to', async () => {
    await addRows(110);
    page = await app.enter('E-1006');
    // Shortens the page's intervals, because it asks for newer entries only every 15 seconds.
    await page.evaluate(`(() => {
      const start = setInterval;
      setInterval = (action, delay) => start(action, Math.min(delay, 200));
    })()`);
    await page.evaluate("location.hash = '#/audit?person=E-1002&type=sign-in'");
    await rows().first().waitFor();
    expect(await rows().count()).toBe(100);
    await page.getByRole('button', { name: 'Show older' }).click();
    await page.getByText('No older entries').waitFor();
    const before = await rows().count();
    expect(before).toBeGreaterThan(109);
    await addRows(1);
    await page.getByRole('button', { name: 'Show 1 newer entry' }).click();
    await until(async () => (await rows().count()) === before + 1);
    const [newest] = await app.desk.database.query<{ seq: number }>(
      "select max(seq) as seq from audit where person = 'E-1002'",
    );
    await rows().first().click();
    await page.getByText('Details', { exact: true }).click();
    await page.getByRole('definition').getByText(String(newest?.seq), { exact: true }).waitFor();
    // A reload restores the page's own intervals.
    await page.reload();
  });

  test('is exported with its filters, as CSV and as JSON lines', async () => {
    await addRows(3);
    page = await app.enter('E-1006', {}, 'audit?person=E-1002&type=sign-in');
    await rows().first().waitFor();
    const save = async (format: string) => {
      await page.getByRole('button', { name: 'Export' }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: format }).click(),
      ]);
      return [download.suggestedFilename(), readFileSync(await download.path(), 'utf8')] as const;
    };
    const answer = await app.call('/admin/audit?person=E-1002&type=sign-in&after=0&limit=1000', {}, 'E-1006');
    const expected = (await answer.json()) as AuditRow[];
    const [jsonName, json] = await save('JSON Lines');
    expect(jsonName).toMatch(/^audit-\d{4}-\d\d-\d\d\.jsonl$/);
    expect(
      json
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as AuditRow),
    ).toEqual(expected);
    await page.getByText(`${expected.length} entries exported`).waitFor();
    const [csvName, csv] = await save('CSV (spreadsheet)');
    expect(csvName).toMatch(/^audit-\d{4}-\d\d-\d\d\.csv$/);
    expect(csv.trimEnd().split('\r\n')).toHaveLength(expected.length + 1);
  });

  test('an export that is stopped saves no file', async () => {
    page = await app.enter('E-1006', {}, 'audit');
    await rows().first().waitFor();
    const held = Promise.withResolvers<void>();
    await page.route('**/admin/audit?after=0*', async (route) => {
      await held.promise;
      // The page has aborted the request by now.
      await route.abort();
    });
    let downloads = 0;
    page.on('download', () => downloads++);
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'CSV (spreadsheet)' }).click();
    await page.getByRole('status').getByText('Exporting: 0 entries so far').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Export stopped. No file was saved.').waitFor();
    held.resolve();
    await page.getByRole('button', { name: 'Export' }).waitFor();
    expect(downloads).toBe(0);
  });
});

describe('the files of the console', () => {
  test('a part that a newer version replaced is reported, with a button to reload the page', async () => {
    page = await app.enter('E-1001');
    // After a reload, the files of other pages are not loaded yet.
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.route('**/console/part-*', (route) => route.fulfill({ status: 404, body: '' }));
    await page.getByRole('link', { name: 'Preview form' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'This page has been updated' }).waitFor();
    await until(async () => app.seen.complaints.length > 0);
    expect(app.seen.complaints.splice(0)).toEqual([expect.stringMatching(/^\w+: part-\w+\.js/)]);
    await expectAccessible(page, 'a missing part');
    await page.unroute('**/console/part-*');
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { level: 1, name: 'Preview form' }).waitFor();
  });

  describe('that cannot be reached', () => {
    const noConnection = () => page.getByRole('heading', { level: 1, name: 'No connection' });
    const retry = () => page.getByRole('button', { name: 'Retry' });
    const marked = () => page.evaluate<boolean>('globalThis.isSamePage === true');

    /** Opens a list in a browser that has not loaded the files of other pages yet. */
    async function openList(): Promise<string> {
      const list = await app.makeList(['One', 'Two']);
      page = await app.enter('E-1001', { colorScheme: 'light' }, `lists/${list}`);
      await page.getByText('Two', { exact: true }).waitFor();
      await page.evaluate('globalThis.isSamePage = true');
      return list;
    }
    /** The browser and React log the same errors that the page shows. */
    const expectComplaints = () => {
      const complaints = app.seen.complaints.splice(0);
      expect(complaints.filter((each) => !/No answer|Failed to fetch|ERR_INTERNET/.test(each))).toEqual([]);
    };

    test('are requested again without leaving the page, and pages that are loaded keep working', async () => {
      await openList();
      await page.route('**/console/part-*', (route) => route.abort('internetdisconnected'));
      await page.getByRole('link', { name: 'History' }).click();
      await noConnection().waitFor();
      await expectAccessible(page, 'no connection');
      await retry().focus();
      const requestFailed = page.waitForEvent('requestfailed');
      await page.keyboard.press('Enter');
      await requestFailed;
      await page.locator('button:focus', { hasText: 'Retry' }).waitFor();
      await page.goBack();
      await page.getByText('Two', { exact: true }).waitFor();
      await page.goForward();
      await noConnection().waitFor();
      await page.unroute('**/console/part-*');
      await retry().click();
      await page.getByText('Ada Park').first().waitFor();
      expect(await marked()).toBe(true);
      expectComplaints();
    });

    test('leave what is typed on the page, and are loaded when the connection is back', async () => {
      const list = await openList();
      await page.getByRole('searchbox').fill('Tw');
      await page.context().setOffline(true);
      const value = () => page.evaluate(`location.hash = '#/lists/${list}/values/TWO'`);
      const message = page.getByRole('alertdialog').filter({ hasText: 'No connection' });
      await value();
      await message.waitFor();
      await expectAccessible(page, 'no connection over a list');
      await message.getByRole('button', { name: 'Close' }).click();
      expect(await page.getByRole('searchbox').inputValue()).toBe('Tw');
      await page.getByRole('heading', { level: 1 }).click();
      await paste(page, 'Three\nFour');
      await message.getByRole('button', { name: 'Retry' }).click();
      await message.waitFor();
      await page.context().setOffline(false);
      await page.evaluate("dispatchEvent(new Event('online'))");
      await page.getByRole('textbox', { name: 'Label, line 2' }).waitFor();
      expect(await page.getByRole('textbox', { name: 'Label, line 2' }).inputValue()).toBe('Four');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Discard' }).click();
      await page.context().setOffline(true);
      await value();
      await message.waitFor();
      await page.context().setOffline(false);
      // A browser sends this event by itself only if the machine has a network.
      await page.evaluate("dispatchEvent(new Event('online'))");
      await page.getByRole('dialog').getByRole('textbox', { name: 'Label' }).waitFor();
      await page.keyboard.press('Escape');
      expect(await page.getByRole('searchbox').inputValue()).toBe('Tw');
      expect(await marked()).toBe(true);
      expectComplaints();
    });

    test('are needed to read an import file, which can then be tried again', async () => {
      const list = await app.makeList(['One']);
      page = await app.enter('E-1001', { colorScheme: 'light' }, `lists/${list}/import`);
      await page.getByRole('button', { name: 'Choose file' }).waitFor();
      await page.route('**/console/*', (route) => route.abort('internetdisconnected'));
      const buffer = Buffer.from('Value,Label\nTWO,Two\n');
      await page.locator('input[type=file]').setInputFiles({ name: 'values.csv', mimeType: 'text/csv', buffer });
      await page.getByRole('alert').filter({ hasText: 'No connection' }).waitFor();
      await page.unroute('**/console/*');
      await retry().click();
      await page.getByRole('heading', { name: 'Check the columns' }).waitFor();
      expectComplaints();
    });
  });

  test('browsers may cache the files whose names contain a hash', async () => {
    const main = await fetch(`${app.desk.url}/console/main.js`);
    expect(main.headers.get('cache-control')).toBe('no-cache');
    const parts = [...new Set((await main.text()).match(/part-[a-z0-9]+\.js/g))];
    expect(parts.length).toBeGreaterThan(5);
    const part = await fetch(`${app.desk.url}/console/${parts[0]}`);
    expect([part.status, part.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
  });

  test.each(['part-00000000.js', 'constructor.js', '..%2Fmain.js', 'main.js.map'])('%s is not a file', async (file) => {
    expect((await fetch(`${app.desk.url}/console/${file}`)).status).toBe(404);
  });
});
