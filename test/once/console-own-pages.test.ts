// Home, profile and audit in a real browser.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import type { AuditRow } from '../../src/audit/audit.schema.ts';
import { type Console, startConsole } from '../support/console.ts';
import { until } from '../support/waiting.ts';

let app: Console;
let page: Page;
beforeAll(async () => {
  app = await startConsole();
});
afterAll(async () => {
  expect(app.seen).toEqual({ complaints: [], foreign: [] });
  await app.stop();
});
afterEach(() => app.leavePages());

const sections = (name: string) => page.getByRole('region', { name });

describe('home', () => {
  test('shows keepers what changed last, by whom, and what is left to do', async () => {
    await app.makeList([
      { label: 'One', labels: { de: 'Eins', fr: 'Un' } },
      { label: 'Two', labels: { de: 'Zwei' } },
      { label: 'Three', validFrom: '2099-01-01', labels: { de: 'Drei' } },
    ]);
    page = await app.enter('E-1001');
    const recent = sections('Recently changed');
    await recent.getByText(/^\d\d:\d\d by Ada Park$/).waitFor();
    expect(await recent.getByRole('listitem').first().innerText()).toContain('Grade 1');
    const attention = sections('Needs attention');
    await attention.getByText('2 translations are missing: French').waitFor();
    await attention.getByText('1 value becomes available later').waitFor();
    await attention.getByRole('link', { name: 'Grade 1' }).click();
    await until(async () => page.url().endsWith('#/lists/grade-1/translations'));
    // A colleague translates the rest: nothing is left to do, without a reload.
    await page.goBack();
    await attention.waitFor();
    await app.changeItem('grade-1', 'TWO', { labels: { fr: 'Deux' } });
    await app.changeItem('grade-1', 'THREE', { labels: { fr: 'Trois' }, validFrom: null });
    await attention.getByText('Nothing needs your attention.').waitFor();
  });

  test('shows others their own details and the preview form, and nothing they may not open', async () => {
    page = await app.enter('E-1003');
    await page.getByText('maria.ruiz@example.com').waitFor();
    expect(await sections('Quick links').getByRole('link').allInnerTexts()).toEqual(['Preview form', 'API docs']);
    await sections('Quick links').getByRole('link', { name: 'Preview form' }).click();
    await page.getByRole('heading', { level: 1, name: 'Preview form' }).waitFor();
  });
});

describe('profile', () => {
  const sessionsOf = async (person: string) => {
    const found = await app.call('/auth/sessions', {}, person);
    return ((await found.json()) as unknown[]).length;
  };

  test('shows where one is signed in, marks this session, and ends another', async () => {
    await app.desk.signIn('E-1002');
    page = await app.enter('E-1002', {}, 'profile');
    const rows = sections('Your sessions').getByRole('listitem');
    await rows.first().waitFor();
    expect(await rows.count()).toBe(2);
    expect(await rows.filter({ hasText: 'This session' }).getByRole('button').allInnerTexts()).toEqual([
      'Sign out here',
    ]);
    await rows.getByRole('button', { name: /^End session: .+, signed in / }).click();
    await page.getByText(/^Session ended: /).waitFor();
    await until(async () => (await rows.count()) === 1);
    // The focus stays near the session that is gone.
    expect(await page.evaluate<string>('document.activeElement.id')).toBe('sessions');
    // This one, and the one that asks.
    expect(await sessionsOf('E-1002')).toBe(2);
  });

  test('ends all other sessions at once, after a question', async () => {
    for (let times = 0; times < 3; times++) await app.desk.signIn('E-1004');
    page = await app.enter('E-1004', {}, 'profile');
    await page.getByRole('button', { name: 'End all other sessions' }).click();
    const question = page.getByRole('alertdialog', { name: 'End all other sessions?' });
    await question.getByText('3 other sessions end at once. You stay signed in here.').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await sections('Your sessions').getByRole('listitem').count()).toBe(4);
    await page.getByRole('button', { name: 'End all other sessions' }).click();
    await question.getByRole('button', { name: 'End all other sessions' }).click();
    await page.getByText('3 sessions ended').waitFor();
    await until(async () => (await sections('Your sessions').getByRole('listitem').count()) === 1);
    await page.reload();
    await page.getByText('This session').waitFor();
  });

  test('a session that cannot be ended is told, with a way to try again', async () => {
    await app.desk.signIn('E-1005');
    page = await app.enter('E-1005', {}, 'profile');
    await page.route('**/auth/sessions/*', (route) => route.abort());
    await page
      .getByRole('button', { name: /^End session: / })
      .first()
      .click();
    const message = page.getByRole('alertdialog').filter({ hasText: 'The session could not be ended' });
    await message.waitFor();
    await page.unroute('**/auth/sessions/*');
    await message.getByRole('button', { name: 'Retry' }).click();
    await page.getByText(/^Session ended: /).waitFor();
  });
});

describe('audit', () => {
  const rows = () => page.locator('summary');
  const filters = () => page.getByRole('form', { name: 'Filters' });

  /** Sign-ins of somebody, without signing in as often. */
  const addRows = (count: number) => {
    const at = new Date().toISOString();
    const rowsToAdd = Array.from({ length: count }, () => `('${crypto.randomUUID()}', '${at}', 'sign-in', 'E-1002')`);
    return app.desk.database.query(`insert into audit (id, at, type, person) values ${rowsToAdd.join(', ')}`);
  };

  test('reads as sentences, with the details on request', async () => {
    const list = await app.makeList(['Clerk']);
    page = await app.enter('E-1006', {}, 'audit');
    await page.getByText(`Ada Park changed the list ${list} (version 1)`).waitFor();
    await page.getByRole('heading', { level: 2, name: 'Today' }).waitFor();
    expect(await page.getByText('Request ID').first().isVisible()).toBe(false);
    await rows().first().click();
    await page.getByText('Ines Duarte (E-1006)').first().waitFor();
    await page.getByText('Request ID').first().waitFor();
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
    await page.getByText('Must not be before the first day').waitFor();
  });

  test('shows older entries page by page, and newer ones when asked to', async () => {
    await addRows(110);
    page = await app.enter('E-1006', {}, 'audit?person=E-1002&type=sign-in');
    await rows().first().waitFor();
    expect(await rows().count()).toBe(100);
    await page.getByRole('button', { name: 'Show older' }).click();
    await page.getByText('No older entries').waitFor();
    const before = await rows().count();
    expect(before).toBeGreaterThan(109);
    await addRows(1);
    await page.getByRole('button', { name: 'Show 1 newer entry' }).click({ timeout: 40_000 });
    await until(async () => (await rows().count()) === before + 1);
  });

  test('is exported as it is filtered, as CSV and as JSON lines', async () => {
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
    const [jsonName, json] = await save('JSON lines');
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

  test('an export can be stopped, and saves nothing then', async () => {
    page = await app.enter('E-1006', {}, 'audit');
    await rows().first().waitFor();
    const held = Promise.withResolvers<void>();
    await page.route('**/admin/audit?after=0*', async (route) => {
      await held.promise;
      await route.continue().catch(() => {});
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
