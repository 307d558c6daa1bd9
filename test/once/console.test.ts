// The console in a real browser, as each of the people it is for would use it.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, readFileSync } from 'node:fs';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expectAccessible } from '../support/accessibility.ts';
import { type Observations, observe, openChromium } from '../support/chromium.ts';
import { bearer, codeFromProvider, type Frontdesk, lastsADay, startFrontdesk, until } from '../support/frontdesk.ts';

const pictures = 'test/output/console';

let desk: Frontdesk;
let browser: Browser;
beforeAll(async () => {
  mkdirSync(pictures, { recursive: true });
  desk = await startFrontdesk();
  browser = await openChromium();
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await desk?.stop();
});

const seen: Observations = { complaints: [], foreign: [] };
// A refused request is reported by the browser itself, and is what some of these tests are about.
const isRefusal = (message: string) => message.startsWith('Failed to load resource');

async function open(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1200, height: 850 }, locale: 'en-GB', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  observe(page, [desk.url, desk.url.replace('localhost', '127.0.0.1'), desk.issuer], seen, isRefusal);
  return page;
}

/** Signs in as people do. */
async function signIn(person: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await open(options);
  await page.goto(`${desk.url}/`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: new RegExp(person) }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  return page;
}

/** For tests that are about what comes afterwards: with the cookie of a session that was opened without the pages. */
async function enter(person = 'E-1001', options: BrowserContextOptions = {}, hash = ''): Promise<Page> {
  const page = await open(options);
  await page.context().addCookies(await desk.signInCookies(person));
  await page.goto(`${desk.url}/${hash === '' ? '' : `#/${hash}`}`);
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  return page;
}

let lists = 0;

/** A list of its own for a test. */
async function makeList(labels: string[], orderOf = (index: number) => index + 1): Promise<string> {
  const list = `grade-${++lists}`;
  const token = await desk.signIn();
  const items = labels.map((label, index) => ({
    value: label.toUpperCase().replaceAll(' ', '_').replaceAll('Ä', 'AE'),
    label,
    sortOrder: orderOf(index),
  }));
  const response = await fetch(`${desk.url}/admin/lookups/apply`, {
    method: 'POST',
    headers: { ...bearer(token), 'content-type': 'application/json' },
    body: JSON.stringify({ lists: { [list]: { title: `Grade ${lists}`, items } } }),
  });
  if (!response.ok) throw new Error(await response.text());
  return list;
}

const labelsOf = async (list: string, query = '') => {
  const response = await desk.get(`/employee/${list}${query}`, bearer(await desk.signIn()));
  return ((await response.json()) as { label: string }[]).map(({ label }) => label);
};

const shownLabels = (page: Page) => page.locator('.kept > .rows > li .label').allInnerTexts();

describe('everybody', () => {
  test('sees what this is, and one way to sign in', async () => {
    const page = await open();
    const response = await page.goto(`${desk.url}/`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByRole('button').allInnerTexts()).toEqual(['Sign in']);
    await expectAccessible(page, 'signed out');
    await page.screenshot({ path: `${pictures}/signed-out.png` });
    const policy = response?.headers()['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.toContain('unsafe');
    await page.context().close();
  });

  test('is not signed in by a link that somebody else made', async () => {
    const page = await open();
    const { searchParams } = await codeFromProvider(desk);
    await page.goto(`${desk.url}/?code=${searchParams.get('code')}&state=theirs`);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    // The code was not even tried: it still works for whoever it belongs to.
    expect((await desk.get(`/auth/login/callback?code=${searchParams.get('code')}`)).status).toBe(200);
    await page.context().close();
  });

  test('is told what went wrong when a sign-in fails, and can try again', async () => {
    const page = await open();
    await page.goto(`${desk.url}/?error=access_denied&state=fd1.${'x'.repeat(43)}`);
    await page.getByText('The sign-in was denied at the identity provider.').waitFor();
    expect(page.url()).toBe(`${desk.url}/`);
    await expectAccessible(page, 'a failed sign-in');
    await page.screenshot({ path: `${pictures}/denied.png` });
    await page.context().close();
  });

  test('loads under 100 KB in all', async () => {
    let total = 0;
    for (const path of ['/', '/console/console.js', '/console/console.css', '/docs/frontdesk.css', '/docs/icon.svg']) {
      const response = await fetch(desk.url + path, { headers: { 'accept-encoding': 'gzip' }, decompress: false });
      expect([path, response.status]).toEqual([path, 200]);
      total += (await response.arrayBuffer()).byteLength;
    }
    expect(total).toBeLessThan(100 * 1024);
  });

  test.each([
    ['E-1001', 'Ada Park', true],
    ['E-1002', undefined, false],
    ['E-1003', undefined, false],
    ['E-1004', undefined, false],
    ['E-1005', undefined, false],
    ['E-1006', undefined, false],
  ])('%s signs in, sees who they are, and signs out', async (person, name, mayKeep) => {
    const page = await signIn(person, { viewport: { width: 390, height: 844 } });
    await page.getByText(`Employee ${person}`).waitFor();
    if (name !== undefined) await page.getByRole('heading', { name }).waitFor();
    await page.locator('dd').getByRole('link', { name: 'Your sessions' }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(await page.getByRole('link', { name: 'Lists' }).count()).toBe(mayKeep ? 1 : 0);
    await expectAccessible(page, person);
    expect(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.screenshot({ path: `${pictures}/you-${person}-phone.png` });
    await page.reload();
    await page.getByText(`Employee ${person}`).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.context().close();
  });

  test('can use everything without a mouse', async () => {
    const page = await open();
    await page.goto(`${desk.url}/`);
    /** Presses Tab until this has the focus. */
    const tabTo = async (name: RegExp) => {
      for (let presses = 0; presses < 40; presses++) {
        await page.keyboard.press('Tab');
        const focused = await page.evaluate<string>(
          "document.activeElement.ariaLabel ?? document.activeElement.innerText ?? ''",
        );
        if (name.test(focused)) return;
      }
      throw new Error(`${name} cannot be reached`);
    };
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await tabTo(/^Sign in$/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Who is signing in?' }).waitFor();
    await tabTo(/Ada Park/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Ada Park' }).waitFor();
    await tabTo(/^Lists$/);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Employment type' }).waitFor();
    await tabTo(/^Employment type$/);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Add a value' }).waitFor();
    await tabTo(/^Add a value$/);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // Back where it was opened.
    expect(await page.evaluate<string>('document.activeElement.innerText')).toBe('Add a value');
    await page.context().close();
  });

  test('tries a form, sees what would be stored and how it was filled, in any language', async () => {
    const page = await enter('E-1003', {}, 'try');
    await page.getByLabel('Position').selectOption('ACCOUNTANT');
    await page.getByText('"position": "ACCOUNTANT"').waitFor();
    await page.getByText("lookup('position')").waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(
      `curl '${desk.url}/employee/position' \\\n  -H "Authorization: Bearer $TOKEN"`,
    );
    await page.getByLabel('Employee level').focus();
    await page.getByText('/employee/employee-level').waitFor();
    await expectAccessible(page, 'try it');
    await page.screenshot({ path: `${pictures}/try.png` });
    // Somebody changes the list: it is different here at once.
    const token = await desk.signIn();
    await fetch(`${desk.url}/admin/lookups/position/items/ACCOUNTANT`, {
      method: 'PATCH',
      headers: { ...bearer(token), 'content-type': 'application/json', 'if-match': '"1"' },
      body: JSON.stringify({ label: 'Bookkeeper', labels: { ar: 'محاسب' } }),
    });
    await page.getByRole('option', { name: 'Bookkeeper' }).waitFor({ state: 'attached' });
    await page.getByLabel('Language of labels').fill('ar');
    await page.getByRole('option', { name: 'محاسب' }).waitFor({ state: 'attached' });
    expect(await page.getByLabel('Position').inputValue()).toBe('ACCOUNTANT');
    await page.context().close();
  });
});

test('a form that is open at midnight has the list of the new day', async () => {
  const usual = desk;
  desk = await startFrontdesk(lastsADay);
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  const token = await desk.signIn();
  const page = await enter('E-1003', {}, 'try');
  const lead = page.getByRole('option', { name: 'Lead', exact: true });
  await lead.waitFor({ state: 'attached' });
  await fetch(`${desk.url}/admin/lookups/employee-level/items/LEAD`, {
    method: 'PATCH',
    headers: { ...bearer(token), 'content-type': 'application/json', 'if-match': '"1"' },
    body: JSON.stringify({ label: 'Lead until tonight', validTo: day(0) }),
  });
  const leaving = page.getByRole('option', { name: 'Lead until tonight' });
  await leaving.waitFor({ state: 'attached' });
  desk.advance((Date.parse(`${day(1)}T00:00:00Z`) - Date.now()) / 1000 + 1);
  await desk.runHousekeeping();
  await leaving.waitFor({ state: 'detached' });
  expect(await page.getByLabel('Employee level').locator('option').count()).toBe(8);
  await page.context().close();
  await desk.stop();
  desk = usual;
});

describe('who keeps the lists', () => {
  test('adds, renames in place, translates, schedules, previews, retires and restores', async () => {
    const list = await makeList(['Trainee', 'Clerk']);
    const page = await enter('E-1001', {}, `lists/${list}`);
    await page.getByRole('button', { name: 'Add a value' }).click();
    await page.getByLabel('Label').fill('Night porter');
    expect(await page.getByRole('textbox', { name: 'Value' }).inputValue()).toBe('NIGHT_PORTER');
    await page.getByRole('button', { name: 'Add a translation' }).click();
    await page.getByRole('textbox', { name: 'Language 1' }).fill('ar');
    await page.getByRole('textbox', { name: 'Translation 1' }).fill('بواب ليلي');
    await expectAccessible(page, 'adding');
    await page.screenshot({ path: `${pictures}/add.png` });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('“Night porter” added').waitFor();
    expect(await labelsOf(list)).toEqual(['Trainee', 'Clerk', 'Night porter']);

    await page.getByRole('button', { name: 'Rename Clerk' }).click();
    await page.getByLabel('New label for CLERK').fill('Senior clerk');
    await expectAccessible(page, 'renaming');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Rename Senior clerk' }).waitFor();
    await until(
      async () => (await page.evaluate<string>('document.activeElement.ariaLabel')) === 'Rename Senior clerk',
    );

    await page.getByRole('button', { name: 'Edit Trainee' }).click();
    await page.getByLabel('Available from').fill('2030-02-01');
    await page.getByLabel('Available until').fill('2030-01-01');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Must not be before the start date').first().waitFor();
    await expectAccessible(page, 'a field that is wrong');
    await page.getByLabel('Available until').fill('');
    await page.getByLabel('Reason (optional)').fill('Starts with the new programme');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('from 1 Feb 2030').waitFor();
    expect(await labelsOf(list)).toEqual(['Senior clerk', 'Night porter']);
    await page.getByLabel('Preview as of').fill('2030-03-01');
    await page.getByRole('heading', { name: 'As of 1 Mar 2030' }).waitFor();
    await page.locator('.preview').getByText('Trainee', { exact: true }).waitFor();
    await expectAccessible(page, 'preview');
    await page.getByRole('button', { name: 'Close the preview' }).click();

    await page.getByRole('button', { name: 'Retire Night porter' }).click();
    await page.getByLabel('Replaced by').selectOption('CLERK');
    await expectAccessible(page, 'retiring');
    await page.getByRole('button', { name: 'Retire', exact: true }).click();
    await page.getByText('1 retired value').click();
    await page.getByText('now Senior clerk').waitFor();
    await expectAccessible(page, 'with a retired value');
    await page.getByRole('button', { name: 'Restore Night porter' }).click();
    await page.getByText('“Night porter” restored').waitFor();
    expect(await labelsOf(list)).toEqual(['Senior clerk', 'Night porter']);

    // What is being typed stays while somebody looks around.
    await page.getByRole('button', { name: 'Rename Night porter' }).click();
    await page.getByLabel('New label for NIGHT_PORTER').fill('Half a');
    await page.getByLabel('Search').fill('clerk');
    await page.getByLabel('Preview as of').fill('2030-03-01');
    await page.getByRole('button', { name: 'Close the preview' }).click();
    await page.getByLabel('Search').fill('');
    expect(await page.getByLabel('New label for NIGHT_PORTER').inputValue()).toBe('Half a');
    await page.getByRole('button', { name: 'Cancel' }).click();

    await page.getByLabel('Search').fill('بواب');
    expect(await shownLabels(page)).toEqual(['Night porter']);
    await page.getByLabel('Search').fill('nothing like it');
    await page.getByText('Nothing matches').waitFor();
    await page.getByLabel('Search').fill('');

    await page.getByRole('button', { name: 'History' }).click();
    await page.getByText('“Starts with the new programme”').waitFor();
    await expectAccessible(page, 'history');
    await page.screenshot({ path: `${pictures}/history.png` });
    await page.getByRole('button', { name: 'Restore this version: 1', exact: true }).click();
    await page.getByText('Version 1 restored').waitFor();
    expect(await labelsOf(list)).toEqual(['Trainee', 'Clerk']);
    await page.getByRole('button', { name: 'History' }).click();
    await page.getByText('restores version 1').waitFor();
    await page.context().close();
  }, 60_000);

  test('puts values in order by keyboard and by drag', async () => {
    const list = await makeList(['One', 'Two', 'Three']);
    const page = await enter('E-1001', {}, `lists/${list}`);
    await page.getByRole('button', { name: /^Move One/ }).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await page.getByText('One: place 2 of 3.').waitFor({ state: 'attached' });
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await page.getByText('Order saved').waitFor();
    expect(await labelsOf(list)).toEqual(['Two', 'Three', 'One']);
    await page.keyboard.press('Space');
    await page.keyboard.press('Home');
    await page.keyboard.press('Escape');
    expect(await shownLabels(page)).toEqual(['Two', 'Three', 'One']);
    await page.getByRole('button', { name: /^Move One/ }).dragTo(page.getByRole('button', { name: 'Rename Two' }), {
      targetPosition: { x: 5, y: 3 },
      steps: 10,
    });
    await page.getByText('· version 3').waitFor();
    expect(await labelsOf(list)).toEqual(['One', 'Two', 'Three']);
    // Left with Tab, a value that was picked up stays where it was.
    await page.getByRole('button', { name: /^Move One/ }).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    expect(await shownLabels(page)).toEqual(['One', 'Two', 'Three']);
    await page.context().close();
  });

  test('takes one translation away and adds another, and leaves those that somebody else made meanwhile', async () => {
    const list = await makeList(['Clerk']);
    const token = await desk.signIn();
    const translate = (version: number, labels: object) =>
      fetch(`${desk.url}/admin/lookups/${list}/items/CLERK`, {
        method: 'PATCH',
        headers: { ...bearer(token), 'content-type': 'application/json', 'if-match': `"${version}"` },
        body: JSON.stringify({ labels }),
      });
    expect((await translate(1, { de: 'Kraft', fr: 'Commis' })).status).toBe(200);
    const page = await enter('E-1001', {}, `lists/${list}`);
    await page.getByRole('button', { name: 'Edit Clerk' }).click();
    await page.getByRole('button', { name: 'Remove translation 1' }).click();
    await page.getByRole('button', { name: 'Add a translation' }).click();
    await page.getByRole('textbox', { name: 'Language 2' }).fill('it');
    await page.getByRole('textbox', { name: 'Translation 2' }).fill('Impiegato');
    expect((await translate(2, { es: 'Empleado' })).status).toBe(200);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Save my change' }).click();
    await page.getByText('· version 4').waitFor();
    const kept = await desk.get(`/admin/lookups/${list}`, bearer(token));
    const { items } = (await kept.json()) as { items: { labels: object }[] };
    expect(items[0]?.labels).toEqual({ es: 'Empleado', fr: 'Commis', it: 'Impiegato' });
    await page.context().close();
  });

  test('sees values of one sortOrder as forms have them, and a move changes the place of no other', async () => {
    const list = await makeList(['zeta', 'Ähre', 'Alpha', 'beta'], () => 1);
    const page = await enter('E-1001', {}, `lists/${list}`);
    await page.getByRole('button', { name: /^Move zeta/ }).waitFor();
    const before = ['Ähre', 'Alpha', 'beta', 'zeta'];
    expect([await shownLabels(page), await labelsOf(list)]).toEqual([before, before]);
    await page.getByRole('button', { name: /^Move zeta/ }).focus();
    for (const key of ['Space', 'ArrowUp', 'Space']) await page.keyboard.press(key);
    await page.getByText('Order saved').waitFor();
    const after = ['Ähre', 'Alpha', 'zeta', 'beta'];
    expect([await shownLabels(page), await labelsOf(list)]).toEqual([after, after]);
    await page.context().close();
  });

  test('makes a list, and takes it along as a file', async () => {
    const page = await enter('E-1001', {}, 'lists');
    await page.getByRole('button', { name: 'New list' }).click();
    await page.getByLabel('Title').fill('Cost centre');
    expect(await page.getByLabel('Name').inputValue()).toBe('cost-centre');
    await page.getByRole('button', { name: 'Create list' }).click();
    await page.getByText('This list is empty').waitFor();
    await expectAccessible(page, 'an empty list');
    await page.screenshot({ path: `${pictures}/empty.png` });

    await page.getByRole('button', { name: 'Import' }).click();
    const choose = (name: string, text: string) =>
      page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
    await choose('wrong.csv', 'list,value,label\ncost-centre,lower case,Sales\ncost-centre,OPS,\n');
    await page.getByText('must be UPPER_SNAKE_CASE').waitFor();
    await expectAccessible(page, 'a wrong file');
    await page.screenshot({ path: `${pictures}/wrong-file.png` });
    // One that is dropped, as from a folder.
    await page.evaluate(`(() => {
      const data = new DataTransfer();
      data.items.add(new File(['list,value,label\\ncost-centre,SALES,Sales\\n'], 'dropped.csv'));
      document.querySelector('.drop').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }));
    })()`);
    await page.getByText('1 change', { exact: true }).waitFor();
    await choose(
      'right.yaml',
      'lists:\n  cost-centre:\n    items:\n      - { value: SALES, label: Sales }\n      - { value: OPS, label: Operations }\n',
    );
    await page.getByText('2 changes').waitFor();
    await expectAccessible(page, 'a plan');
    await page.screenshot({ path: `${pictures}/plan.png` });
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Done: 2 changes.').waitFor();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('button', { name: 'Rename Operations' }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('cost-centre.csv');
    expect(readFileSync(await download.path(), 'utf8')).toContain('cost-centre,SALES,Sales');
    await page.context().close();
  });

  test('at the same time as another person: both see the conflict, and nothing is lost', async () => {
    const list = await makeList(['Junior', 'Senior']);
    const [one, two] = [await enter('E-1001', {}, `lists/${list}`), await enter('E-1001', {}, `lists/${list}`)];
    await two.getByRole('button', { name: 'Rename Junior' }).click();
    await two.getByLabel('New label for JUNIOR').fill('Starter');
    await one.getByRole('button', { name: 'Rename Senior' }).click();
    await one.getByLabel('New label for SENIOR').fill('Expert');
    await one.keyboard.press('Enter');
    await one.getByText('· version 2').waitFor();
    // It appears over there, and what is being typed there stays.
    await two.getByRole('button', { name: 'Rename Expert' }).waitFor();
    expect(await two.getByLabel('New label for JUNIOR').inputValue()).toBe('Starter');
    await two.keyboard.press('Enter');
    // Begun before that change, so it is shown first; then both are there.
    await two.getByRole('heading', { name: 'This list changed while you were editing' }).waitFor();
    await two.getByRole('button', { name: 'Save my change' }).click();
    await two.getByText('· version 3').waitFor();
    expect(await labelsOf(list)).toEqual(['Starter', 'Expert']);

    // A form that was opened before a change sends only what was changed in it.
    await two.getByRole('button', { name: 'Edit Starter' }).click();
    await two.getByLabel('Available until').fill('2099-12-31');
    await one.getByRole('button', { name: 'Rename Starter' }).click();
    await one.getByLabel('New label for JUNIOR').fill('Theirs');
    await one.keyboard.press('Enter');
    await one.getByText('· version 4').waitFor();
    await two.getByRole('button', { name: 'Save', exact: true }).click();
    await two.getByRole('heading', { name: 'This list changed while you were editing' }).waitFor();
    await two.getByRole('button', { name: 'Save my change' }).click();
    await two.getByText('· version 5').waitFor();
    expect(await labelsOf(list)).toEqual(['Theirs', 'Expert']);
    expect(await labelsOf(list, '?asOf=2100-01-01')).toEqual(['Expert']);

    // One who does not hear of it in time is told when saving.
    await two.route('**/lookups/changes', (route) => route.abort());
    await two.route(`**/admin/lookups/${list}`, (route) =>
      route.request().method() === 'GET' ? route.abort() : route.continue(),
    );
    await two.reload();
    await two.unroute(`**/admin/lookups/${list}`);
    await two.reload();
    await two.getByRole('button', { name: 'Rename Theirs' }).click();
    await two.getByLabel('New label for JUNIOR').fill('Beginner');
    await one.getByRole('button', { name: 'Rename Expert' }).click();
    await one.getByLabel('New label for SENIOR').fill('Master');
    await one.keyboard.press('Enter');
    await one.getByText('· version 6').waitFor();
    await two.keyboard.press('Enter');
    await two.getByRole('heading', { name: 'This list changed while you were editing' }).waitFor();
    await two.getByText('Master').first().waitFor();
    await expectAccessible(two, 'a conflict');
    await two.screenshot({ path: `${pictures}/conflict.png` });
    await two.getByRole('button', { name: 'Save my change' }).click();
    await two.getByText('· version 7').waitFor();
    expect(await labelsOf(list)).toEqual(['Beginner', 'Master']);
    await one.context().close();
    await two.context().close();
  }, 60_000);

  test('who is offline for a while loses nothing that was typed', async () => {
    const list = await makeList(['Guard']);
    const page = await enter('E-1001', {}, `lists/${list}`);
    await page.getByRole('button', { name: 'Edit Guard' }).click();
    await page.getByLabel('Label').fill('Watchman');
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Frontdesk cannot be reached').waitFor();
    await expectAccessible(page, 'offline');
    expect(await page.getByLabel('Label').inputValue()).toBe('Watchman');
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('· version 2').waitFor();
    expect(await labelsOf(list)).toEqual(['Watchman']);
    await page.context().close();
  });
});

describe('what is typed', () => {
  test('on the page of all lists stays when the tab is left and come back to', async () => {
    const page = await enter('E-1001', {}, 'lists');
    await page.getByRole('button', { name: 'New list' }).click();
    await page.getByLabel('Title').fill('Half a title');
    const turn = (isHidden: boolean) =>
      page.evaluate(`(() => {
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${isHidden} });
        document.dispatchEvent(new Event('visibilitychange'));
      })()`);
    await turn(true);
    // It watches the changes again, and asks for all lists: something may have been missed.
    const asked = page.waitForResponse((response) => response.url().endsWith('/admin/lookups'));
    await turn(false);
    await asked;
    expect(await page.getByLabel('Title').inputValue()).toBe('Half a title');
    await page.context().close();
  });

  test('stays when a save fails, however often Escape was pressed meanwhile, and the failure is told', async () => {
    const list = await makeList(['Clerk']);
    const page = await enter('E-1001', {}, `lists/${list}`);
    const sent = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    await page.route('**/items/CLERK', async (route) => {
      sent.resolve();
      await held.promise;
      await route.abort();
    });
    await page.getByRole('button', { name: 'Edit Clerk' }).click();
    await page.getByLabel('Label').fill('Senior clerk');
    await page.getByRole('button', { name: 'Save' }).click();
    await sent.promise;
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press('Escape');
    held.resolve();
    await page.getByRole('dialog').getByText('Frontdesk cannot be reached').waitFor();
    await page.screenshot({ path: `${pictures}/failed-save.png` });
    expect(await page.getByLabel('Label').inputValue()).toBe('Senior clerk');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Edit Clerk' }).click();
    await page.getByRole('dialog').waitFor();
    await page.context().close();
  });

  test('as a second translation to one language is told, and replaces nothing', async () => {
    const list = await makeList(['Clerk']);
    const page = await enter('E-1001', {}, `lists/${list}`);
    await page.getByRole('button', { name: 'Edit Clerk' }).click();
    for (const [index, [language, text]] of [
      ['pt-BR', 'Escriturário'],
      ['pt-br', 'Balconista'],
    ].entries()) {
      await page.getByRole('button', { name: 'Add a translation' }).click();
      await page.getByRole('textbox', { name: `Language ${index + 1}` }).fill(language ?? '');
      await page.getByRole('textbox', { name: `Translation ${index + 1}` }).fill(text ?? '');
    }
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('There are two translations for pt-BR. Remove one of them.').waitFor();
    await expectAccessible(page, 'two translations to one language');
    await page.screenshot({ path: `${pictures}/two-translations.png` });
    await page.getByRole('button', { name: 'Remove translation 2' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('· version 2').waitFor();
    const response = await desk.get(`/admin/lookups/${list}`, bearer(await desk.signIn()));
    const { items } = (await response.json()) as { items: { labels: Record<string, string> }[] };
    expect(items.map(({ labels }) => labels)).toEqual([{ 'pt-BR': 'Escriturário' }]);
    await page.context().close();
  });
});

test('a person sees that changes no longer arrive, until they do again', async () => {
  const page = await enter();
  const note = page.getByText('Changes by others are not shown: reconnecting…');
  await page.route('**/lookups/changes', (route) => route.abort());
  await page.reload();
  await note.waitFor();
  await expectAccessible(page, 'reconnecting');
  await page.screenshot({ path: `${pictures}/reconnecting.png` });
  await page.unroute('**/lookups/changes');
  await note.waitFor({ state: 'detached' });
  await page.route('**/lookups/changes', (route) => route.fulfill({ status: 200, body: 'Welcome to our network' }));
  await page.reload();
  await page.getByRole('alert').getByText('Unexpected answer').waitFor();
  await page.context().close();
});

test('a preview never shows one day under the heading of another', async () => {
  const list = await makeList(['Clerk', 'Porter']);
  const headers = { ...bearer(await desk.signIn()), 'content-type': 'application/json', 'if-match': '"1"' };
  const change = { method: 'PATCH', headers, body: JSON.stringify({ validFrom: '2030-06-01' }) };
  expect((await fetch(`${desk.url}/admin/lookups/${list}/items/PORTER`, change)).status).toBe(200);
  const page = await enter('E-1001', {}, `lists/${list}`);
  const held = Promise.withResolvers<void>();
  await page.route('**/employee/**asOf=2030-12-01', async (route) => {
    await held.promise;
    await route.continue();
  });
  const shown = page.locator('.preview li bdi');
  await page.getByLabel('Preview as of').fill('2030-01-01');
  await page.locator('.preview').getByText('Clerk', { exact: true }).waitFor();
  await page.getByLabel('Preview as of').fill('2030-12-01');
  await page.getByRole('heading', { name: 'As of 1 Dec 2030' }).waitFor();
  expect(await shown.allInnerTexts()).toEqual([]);
  await page.getByText('Loading the preview…').waitFor();
  await page.getByLabel('Preview as of').fill('2030-01-02');
  await page.locator('.preview').getByText('Clerk', { exact: true }).waitFor();
  const late = page.waitForEvent('requestfinished', (request) => request.url().endsWith('asOf=2030-12-01'));
  held.resolve();
  await late;
  // Drawn once more after that answer.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  expect(await page.locator('#preview').innerText()).toBe('As of 2 Jan 2030');
  expect(await shown.allInnerTexts()).toEqual(['Clerk']);
  await page.context().close();
});

test('an import says how large a file may be, before one that is larger is sent', async () => {
  const page = await enter('E-1001', {}, 'lists');
  let sent = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/admin/lookups/plan')) sent++;
  });
  await page.getByRole('button', { name: 'Import' }).click();
  await page.getByText('up to 256 KiB').waitFor();
  const choose = (bytes: number) =>
    page
      .locator('input[type=file]')
      .setInputFiles({ name: 'large.csv', mimeType: 'text/csv', buffer: Buffer.alloc(bytes, 'x') });
  await choose(256 * 1024 + 1);
  await page.getByRole('alert').getByText('large.csv is too large').waitFor();
  await page.getByRole('alert').getByText('It has 256.1 KiB; a file may have 256 KiB.').waitFor();
  expect(sent).toBe(0);
  await expectAccessible(page, 'a file that is too large');
  await page.screenshot({ path: `${pictures}/large-file.png` });
  // One of exactly that size is sent, and refused for what is in it.
  await choose(256 * 1024);
  await page.getByText('This file cannot be used as it is').waitFor();
  expect(sent).toBe(1);
  // What the service itself says to one that grew after it was chosen.
  await page.route('**/admin/lookups/plan', (route) => route.continue({ postData: Buffer.alloc(256 * 1024 + 1, 'x') }));
  await choose(1024);
  await page.getByRole('alert').getByText('The body of the request is larger than 256 KiB.').waitFor();
  await page.context().close();
});

describe('it looks right', () => {
  const states: [string, string][] = [
    ['you', ''],
    ['try', 'try'],
    ['lists', 'lists'],
    ['list', 'lists/position'],
  ];

  test.each([
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['phone', { viewport: { width: 390, height: 844 } }],
    ['wide', { viewport: { width: 1920, height: 1080 } }],
    ['less-motion', { reducedMotion: 'reduce' }],
  ] as [string, BrowserContextOptions][])('%s', async (name, options) => {
    const page = await enter('E-1001', options);
    for (const [state, hash] of states) {
      await page.goto(`${desk.url}/#/${hash}`);
      await page.locator('main :is(h1, .card)').first().waitFor();
      if (state === 'list') await page.getByText('CHIEF_EXECUTIVE').waitFor();
      await expectAccessible(page, `${state} ${name}`);
      expect(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      await page.screenshot({ path: `${pictures}/${state}-${name}.png` });
    }
    await page.context().close();
  });

  test('dates are the same everywhere', async () => {
    const list = await makeList(['Only']);
    const page = await enter('E-1001', { timezoneId: 'America/New_York' }, `lists/${list}`);
    await page.getByRole('button', { name: 'Edit Only' }).click();
    await page.getByLabel('Available until').fill('2031-01-31');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('to 31 Jan 2031').waitFor();
    await page.context().close();
  });

  test('an unknown address says so', async () => {
    const page = await enter('E-1001', {}, 'lists/..%5C..%5Cauth%5Cme');
    await page.getByText('Page not found.').waitFor();
    await page.goto(`${desk.url}/#/lists/no-such-list`);
    await page.getByText('Not found').waitFor();
    await page.context().close();
  });

  test('under another host name it redirects to where sign-in works', async () => {
    const page = await open();
    await page.goto(`${desk.url.replace('localhost', '127.0.0.1')}/#/try`);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(page.url()).toBe(`${desk.url}/#/try`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: /E-1002/ }).click();
    // And comes back to where it was meant to go.
    await page.getByRole('heading', { name: 'Preview form' }).waitFor();
    await page.context().close();
  });

  test('from right to left', async () => {
    const page = await enter('E-1001', {}, 'lists/position');
    await page.getByText('CHIEF_EXECUTIVE').waitFor();
    await page.evaluate("document.documentElement.dir = 'rtl'");
    const [handle, edit] = [
      page.getByRole('button', { name: /^Move Chief Executive/ }),
      page.getByRole('button', { name: 'Edit Chief Executive' }),
    ];
    expect((await handle.boundingBox())?.x).toBeGreaterThan((await edit.boundingBox())?.x ?? 0);
    await expectAccessible(page, 'right to left');
    await page.screenshot({ path: `${pictures}/list-rtl.png` });
    await page.context().close();
  });
});

test('no page logged an error, and nothing was requested from other hosts', () => {
  expect(seen).toEqual({ complaints: [], foreign: [] });
});
