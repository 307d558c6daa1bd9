// Nothing typed into a value's panel is ever lost, and conflicts between two people's changes are merged or resolved.
import { describe, expect, test } from 'bun:test';
import { expectAccessible } from '../support/accessibility.ts';
import { colleague } from '../support/console-people.ts';
import { startValueConsole } from '../support/console-value.ts';
import { sharedConsole } from '../support/shared.ts';
import { until } from '../support/waiting.ts';

const at = sharedConsole(startValueConsole);

/** Opens the panel of CLERK and types a different label. */
async function typeLabel() {
  const opened = await at.openValue();
  await opened.field('Label').fill('Officer');
  return opened;
}
type Opened = Awaited<ReturnType<typeof typeLabel>>;
/** Discards what was typed, so that the page can be used again. */
async function discard({ page, panel, button }: Pick<Opened, 'page' | 'panel' | 'button'>): Promise<void> {
  // When a question closes, the focus returns to the panel. A key pressed earlier would be lost.
  await until(() => page.evaluate<boolean>("document.activeElement.closest('[role=dialog]') !== null"));
  await page.keyboard.press('Escape');
  await button('Discard').click();
  await panel.waitFor({ state: 'detached' });
}
const byColleague = (list: string, changes: object) => at.changeItem(list, 'CLERK', changes, colleague);

describe('what is typed stays, and leaving it asks first', () => {
  const ways: [string, (opened: Opened) => Promise<unknown>][] = [
    ['Escape', ({ page }) => page.keyboard.press('Escape')],
    ['the close button', ({ panel }) => panel.getByRole('button', { name: 'Close' }).click()],
    ['a click beside the panel', ({ page }) => page.mouse.click(300, 600)],
    ['the browser’s Back', ({ page }) => page.goBack()],
    ['the next value', ({ button }) => button('Next value').click()],
    ['another address', ({ page }) => page.evaluate("location.hash = '#/lists'")],
  ];
  test('whichever way the panel is left', async () => {
    const opened = await at.openValue();
    const { page, list, field, question, button } = opened;
    for (const [way, leave] of ways) {
      await page.evaluate(`location.hash = '#/lists/${list}/values/CLERK'`);
      await page.getByRole('heading', { name: 'Clerk' }).waitFor();
      // Moves to the next value, so that there is a page to go back to.
      await button('Next value').click();
      await page.getByRole('heading', { name: 'Porter' }).waitFor();
      const address = page.url();
      await field('Label').fill('Doorkeeper');
      await leave(opened);
      const asked = question('Discard your changes?');
      await asked.waitFor();
      await asked.getByRole('button', { name: 'Keep editing' }).click();
      await asked.waitFor({ state: 'detached' });
      expect([way, await field('Label').inputValue(), page.url()]).toEqual([way, 'Doorkeeper', address]);
      await leave(opened);
      await asked.getByRole('button', { name: 'Discard' }).click();
      await until(
        async () => page.url() !== address && (await page.getByRole('heading', { name: 'Porter' }).count()) === 0,
      );
      expect([way, (await at.itemOf(list, 'PORTER'))?.label]).toEqual([way, 'Porter']);
    }
  });

  test('with a reload, where the browser asks', async () => {
    const opened = await typeLabel();
    const { page, field } = opened;
    // Browsers ask before a reload only if the person has interacted with the page.
    await field('Label').press('End');
    const asking = page.waitForEvent('dialog');
    await page.evaluate('void setTimeout(() => location.reload())');
    const asked = await asking;
    await asked.dismiss();
    expect([asked.type(), await field('Label').inputValue()]).toEqual(['beforeunload', 'Officer']);
    await discard(opened);
  });

  test('a half-typed tag, a reason or a code counts as typed', async () => {
    const opened = await at.openValue();
    const { page, field, question, button } = opened;
    const asked = question('Discard your changes?');
    async function keepEditing(): Promise<void> {
      await page.keyboard.press('Escape');
      await asked.getByRole('button', { name: 'Keep editing' }).click();
      await asked.waitFor({ state: 'detached' });
    }
    await field('Tags').fill('des');
    await keepEditing();
    // The tag was added when the field lost the focus.
    await button('Remove des').click();
    await field('Reason (optional)').fill('Because');
    await keepEditing();
    expect(await field('Reason (optional)').inputValue()).toBe('Because');
    await field('Reason (optional)').fill('');
    await button('Add code').click();
    await field('System').fill('sap');
    await keepEditing();
    expect(await field('System').inputValue()).toBe('sap');
    await discard(opened);
  });

  test('a reason for retiring the value counts as typed', async () => {
    const { page, button, question } = await at.openValue();
    await button('Retire…').click();
    const reason = question('Retire Clerk?').getByRole('textbox', { name: 'Reason (optional)' });
    await reason.fill('Merged');
    const ways = [
      () => page.keyboard.press('Escape'),
      () => button('Cancel').click(),
      () => page.evaluate("location.hash = '#/lists'"),
    ];
    for (const leave of ways) {
      await leave();
      await button('Keep editing').click();
      expect(await reason.inputValue()).toBe('Merged');
    }
    await button('Cancel').click();
    await button('Discard').click();
    await question('Retire Clerk?').waitFor({ state: 'detached' });
  });

  test('Escape in the question keeps editing; no question is asked if everything is as it was before', async () => {
    const { page, field, panel, question } = await typeLabel();
    await page.keyboard.press('Escape');
    await question('Discard your changes?').waitFor();
    await page.keyboard.press('Escape');
    await question('Discard your changes?').waitFor({ state: 'detached' });
    expect(await field('Label').inputValue()).toBe('Officer');
    await field('Label').fill('Clerk');
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
  });

  test('a new value asks as well', async () => {
    const opened = await at.openNew();
    const { page, field, question } = opened;
    await field('Label').fill('Guard');
    await page.keyboard.press('Escape');
    await question('Discard your changes?').getByRole('button', { name: 'Keep editing' }).click();
    await question('Discard your changes?').waitFor({ state: 'detached' });
    expect(await field('Label').inputValue()).toBe('Guard');
    await discard(opened);
  });

  test('in a tab that was hidden for a while', async () => {
    const opened = await typeLabel();
    const { page, list, field } = opened;
    const setHidden = (isHidden: boolean) =>
      page.evaluate(
        `Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${isHidden} });
         Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${isHidden ? 'hidden' : 'visible'}' });
         document.dispatchEvent(new Event('visibilitychange'))`,
      );
    await setHidden(true);
    await byColleague(list, { description: 'In the office' });
    await setHidden(false);
    await until(async () => (await field('Description').inputValue()) === 'In the office');
    expect(await field('Label').inputValue()).toBe('Officer');
    await discard(opened);
  });

  test('without a connection, and is saved when there is one again', async () => {
    const { page, list, panel, field, button, toast } = await typeLabel();
    await page.context().setOffline(true);
    await button('Save').click();
    const note = panel.getByRole('alert').filter({ hasText: 'No connection' });
    await note.waitFor();
    await expectAccessible(page, 'saving without a connection', 'all but contrast');
    expect(await field('Label').inputValue()).toBe('Officer');
    await page.context().setOffline(false);
    await note.getByRole('button', { name: 'Retry' }).click();
    await toast('Officer saved').waitFor();
    expect((await at.itemOf(list, 'CLERK'))?.label).toBe('Officer');
  });
});

describe('somebody else changes the value while it is open', () => {
  test('what is typed stays, the rest shows the new state, and a note says who changed what', async () => {
    const { page, list, panel, field, button, toast } = await typeLabel();
    await at.changeItem(list, 'PORTER', { label: 'Doorkeeper' }, colleague);
    await byColleague(list, { labels: { de: 'Hilfe' }, description: 'In the office' });
    await panel.getByText('Changed while you had this open').waitFor();
    await panel.getByText('Bo Lind').first().waitFor();
    await until(async () => (await field('German').inputValue()) === 'Hilfe');
    expect(await field('Label').inputValue()).toBe('Officer');
    await expectAccessible(page, 'a change by somebody else');
    await button('Got it').click();
    await panel.getByText('Changed while you had this open').waitFor({ state: 'detached' });
    // Changes to different fields are merged, and a change to a different value is no conflict.
    await button('Save').click();
    await toast('Officer saved').waitFor();
    expect(await at.itemOf(list, 'CLERK')).toMatchObject({
      label: 'Officer',
      labels: { de: 'Hilfe' },
      description: 'In the office',
    });
    expect((await at.itemOf(list, 'PORTER'))?.label).toBe('Doorkeeper');
  });

  test('the same field: both sides are shown, and what is chosen is saved', async () => {
    const { page, list, panel, field, button, question, toast } = await typeLabel();
    await field('German').fill('Amtsperson');
    await field('Description').fill('Mine alone');
    await byColleague(list, { label: 'Assistant', labels: { de: 'Hilfe' }, tags: ['desk'] });
    await panel.getByText('Changed while you had this open').waitFor();
    await button('Save').click();
    const asked = question('This list changed while you were editing');
    const labels = asked.getByRole('radiogroup', { name: 'Label' });
    await labels.getByRole('radio', { name: /Mine.*Officer/ }).waitFor();
    await labels.getByRole('radio', { name: /Bo Lind.*Assistant/ }).waitFor();
    await asked.getByText('Before: Clerk').waitFor();
    await asked.getByText('Mine alone').waitFor();
    await expectAccessible(page, 'a conflict');
    // After "Keep editing", nothing is saved and nothing is lost.
    await asked.getByRole('button', { name: 'Keep editing' }).click();
    expect([await field('Label').inputValue(), (await at.itemOf(list, 'CLERK'))?.label]).toEqual([
      'Officer',
      'Assistant',
    ]);
    await button('Save').click();
    // Chooses the colleague's translation with the keyboard.
    await asked.getByRole('radiogroup', { name: 'German translation' }).getByRole('radio', { name: /Mine/ }).focus();
    await page.keyboard.press('ArrowDown');
    await asked.getByRole('button', { name: 'Save my change' }).click();
    await toast('Officer saved').waitFor();
    expect(await at.itemOf(list, 'CLERK')).toMatchObject({
      label: 'Officer',
      labels: { de: 'Hilfe' },
      description: 'Mine alone',
      tags: ['desk'],
    });
    expect(await field('German').inputValue()).toBe('Hilfe');
  });

  test('the same field, unseen: the service refuses it, and both sides are shown', async () => {
    const { page, list, button, question, toast } = await typeLabel();
    const statuses: number[] = [];
    page.on('response', (response) => {
      if (response.request().method() === 'PATCH') statuses.push(response.status());
    });
    // The colleague changes the value after this page has sent its change, but before the service receives it.
    let isLate = false;
    await page.route(`**/admin/lookups/${list}/items/CLERK`, async (route) => {
      if (!isLate) await byColleague(list, { label: 'Assistant' });
      isLate = true;
      await route.continue();
    });
    await button('Save').click();
    const asked = question('This list changed while you were editing');
    await asked.getByRole('radio', { name: /Bo Lind.*Assistant/ }).waitFor();
    await asked.getByRole('button', { name: 'Save my change' }).click();
    await toast('Officer saved').waitFor();
    expect([statuses, (await at.itemOf(list, 'CLERK'))?.label]).toEqual([[412, 200], 'Officer']);
  });

  test('while this person retires the value: the other change is shown first, and both are kept', async () => {
    const { page, list, button, question, toast } = await at.openValue();
    let isLate = false;
    await page.route(`**/admin/lookups/${list}/items/CLERK/retire`, async (route) => {
      if (!isLate) await byColleague(list, { label: 'Assistant' });
      isLate = true;
      await route.continue();
    });
    await button('Retire…').click();
    await button('Retire').click();
    const asked = question('This list changed while you were editing');
    await asked.getByText('renamed Clerk to Assistant').waitFor();
    await expectAccessible(page, 'a conflict without fields', 'all but contrast');
    await asked.getByRole('button', { name: 'Save my change' }).click();
    await toast('Clerk retired').waitFor();
    expect(await at.itemOf(list, 'CLERK')).toMatchObject({ label: 'Assistant', status: 'retired' });
  });
});
