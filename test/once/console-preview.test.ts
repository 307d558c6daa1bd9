// The preview form in a real browser.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { expectAccessible } from '../support/accessibility.ts';
import { type Console, pictures, startConsole } from '../support/console.ts';

let app: Console;

beforeAll(async () => {
  app = await startConsole();
});
afterAll(async () => {
  const { seen } = app;
  await app.stop();
  expect(seen).toEqual({ complaints: [], foreign: [] });
});
afterEach(() => app.leavePages());

const open = async (options: Parameters<Console['enter']>[1] = {}, person = 'E-1001') => {
  const page = await app.enter(person, options, 'preview');
  await page.getByRole('combobox', { name: /^Position$/ }).waitFor();
  return page;
};
const dropdown = (page: Page, title: string) => page.getByRole('combobox', { name: title, exact: true });
const code = (page: Page) => page.locator('pre').allTextContents();

async function addList(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: /Add a list/ }).click();
  await page.getByRole('option', { name: title, exact: true }).click();
}

async function chooseLanguage(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /Language of labels/ }).click();
  await page.getByRole('option', { name, exact: true }).click();
}

describe('the preview form', () => {
  test('has the lists that every service has, and shows what would be stored', async () => {
    const page = await open();
    await dropdown(page, 'Position').selectOption({ label: 'Accountant' });
    expect(JSON.parse((await code(page))[0] ?? '')).toEqual({
      position: 'ACCOUNTANT',
      'overtime-eligibility': null,
      'employment-type': null,
      'employee-level': null,
    });
    await dropdown(page, 'Employee level').focus();
    await page.getByRole('heading', { name: 'Request behind “Employee level”' }).waitFor();
    expect((await code(page))[1]).toContain(`curl '${app.desk.url}/employee/employee-level'`);
    await expectAccessible(page, 'preview form');
    await page.screenshot({ path: `${pictures}/preview.png`, fullPage: true });
    await page.close();
  });

  test('takes any list by its title, and gives it back', async () => {
    await app.makeList(['Clerk', 'Lead'], { title: 'Pay grade' });
    const page = await open();
    await addList(page, 'Pay grade');
    await dropdown(page, 'Pay grade').selectOption({ label: 'Lead' });
    expect((await code(page))[0]).toContain('"LEAD"');
    expect(await page.getByRole('heading', { name: 'Request behind “Pay grade”' }).count()).toBe(1);
    await page.getByRole('button', { name: 'Remove Pay grade' }).click();
    expect(await dropdown(page, 'Pay grade').count()).toBe(0);
    expect((await code(page))[0]).not.toContain('"LEAD"');
    await page.close();
  });

  test('shows labels in a language by name, also in its request', async () => {
    const labels = { de: 'Angestellte', 'pt-BR': 'Escriturário' };
    await app.makeList([{ label: 'Clerk', labels }, 'Lead'], { title: 'Translated grade' });
    const page = await open();
    await addList(page, 'Translated grade');
    expect(await dropdown(page, 'Translated grade').getByRole('option').allTextContents()).toContain('Clerk');
    await chooseLanguage(page, 'German');
    await page.getByRole('option', { name: 'Angestellte' }).waitFor({ state: 'attached' });
    expect(await dropdown(page, 'Translated grade').getByRole('option').allTextContents()).toContain('Lead');
    expect(await code(page)).toEqual([
      expect.any(String),
      expect.stringContaining("-H 'Accept-Language: de'"),
      expect.stringMatching(/frontdesk\.lookup\('grade-\d+', \{ language: 'de' \}\);/),
    ]);
    await page.getByRole('combobox', { name: 'Another language' }).fill('suomi');
    await page.getByRole('option', { name: /Finnish/ }).click();
    await page.getByRole('button', { name: /Finnish/ }).waitFor();
    expect((await code(page))[1]).toContain('Accept-Language: fi');
    await page.close();
  });

  test('follows changes by others, and keeps a chosen value that is retired meanwhile', async () => {
    const list = await app.makeList(['Clerk', 'Lead'], { title: 'Live grade' });
    const page = await open();
    await addList(page, 'Live grade');
    await dropdown(page, 'Live grade').selectOption({ label: 'Lead' });
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
    expect(await dropdown(page, 'Live grade').inputValue()).toBe('LEAD');
    await page.close();
  });

  test('what is shown can be copied', async () => {
    const page = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
    for (const [name, start] of [
      ['Copy what would be stored', '{'],
      ['Copy as curl', 'curl '],
      ['Copy as client code', 'const items'],
    ] as const) {
      await page.getByRole('button', { name }).click();
      await page.getByText('Copied').first().waitFor({ state: 'attached' });
      expect(await page.evaluate('navigator.clipboard.readText()')).toStartWith(start);
    }
    await page.close();
  });

  test('is there for people who keep no list', async () => {
    await app.makeList(['Clerk'], { title: 'Shown by name' });
    const page = await open({}, 'E-1002');
    await page.getByRole('button', { name: /Add a list/ }).click();
    await page
      .getByRole('option', { name: /^Grade \d+$/ })
      .first()
      .click();
    await page.getByRole('button', { name: /^Remove Grade \d+$/ }).waitFor();
    await expectAccessible(page, 'preview without a role');
    await page.close();
  });
});

describe('everywhere', () => {
  test('in German, and dark', async () => {
    const page = await app.enter('E-1001', { locale: 'de-DE', colorScheme: 'dark' }, 'preview');
    await page.getByRole('heading', { name: 'Formularvorschau' }).waitFor();
    await page.getByRole('button', { name: /Sprache der Bezeichnungen/ }).waitFor();
    await page.getByRole('heading', { name: 'Was gespeichert würde' }).waitFor();
    await expectAccessible(page, 'German');
    await page.screenshot({ path: `${pictures}/preview-german-dark.png`, fullPage: true });
    await page.close();
  });

  test('on a phone of 320 pixels', async () => {
    const page = await open({ viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true });
    await expectAccessible(page, 'phone');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    await page.screenshot({ path: `${pictures}/preview-phone.png`, fullPage: true });
    await page.close();
  });

  test('right to left, with code left to right', async () => {
    const page = await open({ locale: 'ar-EG' });
    expect(await page.locator('pre').first().getAttribute('dir')).toBe('ltr');
    await expectAccessible(page, 'right to left');
    await page.screenshot({ path: `${pictures}/preview-rtl.png`, fullPage: true });
    await page.close();
  });
});
