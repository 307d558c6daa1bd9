// The side panel of a value in a real browser: every field, saving, retiring, and adding a value.
import { describe, expect, test } from 'bun:test';
import { itemColumnTexts } from '../../console/lists/columns/texts.ts';
import { formFields } from '../../console/lists/items/item-fields.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { paste } from '../support/console.ts';
import { planner } from '../support/console-people.ts';
import { clerk, startValueConsole, type ValueConsole } from '../support/console-value.ts';
import { sharedConsole } from '../support/shared.ts';
import { until } from '../support/waiting.ts';

const at = sharedConsole(startValueConsole);

const openValue: ValueConsole['openValue'] = (options) => at.openValue(options);
const openNew: ValueConsole['openNew'] = (options) => at.openNew(options);

describe('a value', () => {
  test('is edited field by field, and only what differs is sent', async () => {
    const { page, list, field, button, toast } = await openValue();
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await field('Label').fill('Senior clerk');
    await field('German').fill('Fachkraft');
    await field('Description').fill('In the\noffice');
    await field('Reason (optional)').fill('New names');
    await button('Save').click();
    expect((await sent).postDataJSON()).toEqual({
      label: 'Senior clerk',
      labels: { de: 'Fachkraft' },
      description: 'In the office',
      reason: 'New names',
    });
    await toast('Senior clerk saved').waitFor();
    // The panel stays open with what was saved.
    await page.getByRole('heading', { name: 'Senior clerk' }).waitFor();
    expect([await field('Reason (optional)').inputValue(), await button('Save').isDisabled()]).toEqual(['', true]);
    await page.getByText('renamed Clerk to Senior clerk').waitFor();
    await button('Undo').click();
    await toast('Undone').waitFor();
    // The page does not announce the person's own changes.
    expect(await page.getByText('Changed while you had this open').count()).toBe(0);
    await page.getByRole('heading', { name: 'Clerk', exact: true }).waitFor();
    expect(await at.itemOf(list, 'CLERK')).toMatchObject({ label: 'Clerk', labels: { de: 'Kraft' } });
  });

  test('gets translations into languages that are chosen by name, and loses them', async () => {
    const { list, field, box, option, button, toast } = await openValue();
    await box('Add translation').fill('portug');
    await option(/^Portuguese \(Brazil\)/).click();
    await field('Portuguese (Brazil)').fill('Escriturário');
    await button('Remove German').click();
    await field('German').waitFor({ state: 'detached' });
    await button('Save').click();
    await toast('Clerk saved').waitFor();
    expect(await at.itemOf(list, 'CLERK')).toMatchObject({ labels: { 'pt-BR': 'Escriturário' } });
  });

  test("gets dates that are typed in the country's format, and says what is wrong with them", async () => {
    const { list, page, panel, button, toast } = await openValue();
    const day = (name: string) => page.getByRole('group', { name }).getByRole('spinbutton').first();
    await day('Available from').click();
    await page.keyboard.type('01022030');
    await day('Available until').click();
    await page.keyboard.type('31012030');
    await button('Save').click();
    await page.getByText('Must not be before the start date').waitFor();
    await expectAccessible(page, 'a fault', 'all but contrast');
    await day('Available until').click();
    await page.keyboard.type('28022030');
    await button('Save').click();
    await toast('Clerk saved').waitFor();
    expect(await at.itemOf(list, 'CLERK')).toMatchObject({ validFrom: '2030-02-01', validTo: '2030-02-28' });
    await panel.getByText('From 1 Feb 2030', { exact: true }).waitFor();
  });

  test('gets codes and tags; what the service finds wrong is shown beside its field, and what is typed stays', async () => {
    const { list, page, field, button, toast } = await openValue({
      items: [clerk, { label: 'Porter', codes: { workday: 'JP-9' } }],
    });
    await field('Code in workday').fill('JP-9');
    await button('Add code').click();
    await field('System').fill('sap');
    await field('Code').fill('77');
    await field('Tags').fill('desk');
    await page.keyboard.press('Enter');
    await page.keyboard.type('night');
    await button('Remove office').click();
    await button('Save').click();
    await page.getByRole('alert').getByText('Please check the form').waitFor();
    await until(async () => (await field('Code in workday').getAttribute('aria-invalid')) === 'true');
    await until(async () => (await page.evaluate('document.activeElement.value')) === 'JP-9');
    await expectAccessible(page, 'codes, tags and a fault of the service');
    await field('Code in workday').fill('JP-2');
    await button('Save').click();
    await toast('Clerk saved').waitFor();
    expect(await at.itemOf(list, 'CLERK')).toMatchObject({
      codes: { workday: 'JP-2', sap: '77' },
      tags: ['desk', 'night'],
    });
    // The saved code has a field that is named after its system.
    await field('Code in sap').waitFor();
  });

  test('can be limited to values of another list', async () => {
    const title = 'Country of work';
    const other = await at.makeList(['Austria', 'Germany', 'Switzerland'], { title });
    const { list, page, box, option, button, toast } = await openValue();
    await page
      .getByRole('button', { name: /Depends on/ })
      .first()
      .click();
    await option(title).click();
    await box(`Add a value of ${title}`).fill('germ');
    await option(/Germany/).click();
    await expectAccessible(page, 'parents', 'all but contrast');
    await button('Save').click();
    await toast('Clerk saved').waitFor();
    expect(await at.itemOf(list, 'CLERK')).toMatchObject({ parents: { [other]: ['GERMANY'] } });
    await button('Remove Germany').click();
    await button('Save').click();
    await page.getByText('Choose a value, or remove the list').waitFor();
    await button(`Remove ${title}`).click();
    await button('Save').click();
    await until(async () => Object.keys((await at.itemOf(list, 'CLERK'))?.parents ?? {}).length === 0);
  });

  test('is retired with a replacement and restored', async () => {
    const { list, page, field, box, option, button, question, toast } = await openValue();
    await button('Retire…').click();
    const dialog = question('Retire Clerk?');
    await dialog
      .getByText('Forms will no longer offer this value. Existing records keep it, and you can restore it.')
      .waitFor();
    expect(await box('Replaced by').getAttribute('placeholder')).toBe('No replacement');
    expect(await box('Replaced by').inputValue()).toBe('');
    await box('Replaced by').fill('port');
    await option(/Porter/).waitFor();
    expect(await option(/No replacement/).count()).toBe(0);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await box('Replaced by').inputValue()).toBe('Porter');
    await dialog.getByRole('textbox', { name: 'Reason (optional)' }).fill('Merged');
    await dialog.getByRole('button', { name: 'Retire' }).click();
    await toast('Clerk retired').waitFor();
    expect(await at.itemOf(list, 'CLERK')).toMatchObject({ status: 'retired', replacedBy: 'PORTER' });
    await page.getByRole('link', { name: 'Porter' }).waitFor();
    await expectAccessible(page, 'a retired value', 'all but contrast');
    await button('Restore').click();
    await toast('Clerk restored').waitFor();
    await button('Retire…').waitFor();
    expect(await at.itemOf(list, 'CLERK')).toMatchObject({ status: 'active', replacedBy: null });
    expect(await field('Label').inputValue()).toBe('Clerk');
  });

  test('is retired with a typed replacement only if the text is the whole label of exactly one value', async () => {
    const { list, page, box, button, question, toast } = await openValue({
      items: [clerk, 'Temporary', { value: 'TEMPORARY_2', label: 'temporary' }, 'Porter'],
    });
    const replacement = box('Replaced by');
    const isMarked = async () => (await replacement.getAttribute('aria-invalid')) === 'true';
    const retire = question('Retire Clerk?').getByRole('button', { name: 'Retire' });
    await button('Retire…').click();
    await until(async () => (await page.evaluate('document.activeElement.role')) === 'dialog');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Porte');
    expect(await replacement.inputValue()).toBe('Porte');
    await page.keyboard.press('Tab');
    await until(isMarked);
    await page.getByText('No value has this label.').waitFor();
    await expectAccessible(page, 'a replacement that does not exist', 'all but contrast');
    // Nothing is retired, and the text can be corrected.
    await retire.click();
    await until(async () => (await page.evaluate('document.activeElement.value')) === 'Porte');
    expect(await at.itemOf(list, 'CLERK')).toMatchObject({ status: 'active' });
    await replacement.fill('temporary');
    await page.keyboard.press('Enter');
    await page.getByText('Several values have this label.').waitFor();
    await page.keyboard.press('Enter');
    expect(await at.itemOf(list, 'CLERK')).toMatchObject({ status: 'active' });
    await replacement.fill(' porter');
    await page.keyboard.press('Enter');
    await until(async () => (await replacement.inputValue()) === 'Porter' && !(await isMarked()));
    await page.keyboard.press('Enter');
    await toast('Clerk retired').waitFor();
    expect(await at.itemOf(list, 'CLERK')).toMatchObject({ status: 'retired', replacedBy: 'PORTER' });
    // While a replacement is half typed, closing the dialog asks for confirmation. An emptied field means no replacement.
    await button('Restore').click();
    await button('Retire…').click();
    await replacement.fill('temp');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await button('Keep editing').click();
    expect(await replacement.inputValue()).toBe('temp');
    // If the error message appeared as soon as the field lost focus, it would push Cancel away from the pointer in mid-click.
    await replacement.fill('tem');
    await page.keyboard.press('Escape');
    await button('Cancel').click();
    await button('Keep editing').click();
    await retire.click();
    await until(isMarked);
    await replacement.fill('PORTER');
    await page.keyboard.press('Tab');
    await until(async () => (await replacement.inputValue()) === 'Porter');
    await replacement.fill('');
    await page.keyboard.press('Tab');
    await retire.click();
    await until(async () => (await at.itemOf(list, 'CLERK'))?.status === 'retired');
    expect(await at.itemOf(list, 'CLERK')).toMatchObject({ replacedBy: null });
  });

  test('has its own history, with older changes on request', async () => {
    const list = await at.makeList([clerk, 'Porter']);
    for (let number = 1; number <= 21; number++) await at.changeItem(list, 'CLERK', { label: `Clerk ${number}` });
    await at.changeItem(list, 'PORTER', { label: 'Doorkeeper' });
    const page = await at.enter('E-1001', {}, `lists/${list}/values/CLERK`);
    await page.getByText('renamed Clerk 20 to Clerk 21').waitFor();
    expect(
      await page
        .getByText(/Doorkeeper/)
        .filter({ visible: true })
        .and(page.locator('.value-history *'))
        .count(),
    ).toBe(0);
    await page.getByRole('button', { name: 'Show older' }).click();
    await page.getByText('renamed Clerk to Clerk 1', { exact: true }).waitFor();
  });

  test('has links to the previous and the next value', async () => {
    const { page, list, button } = await openValue();
    expect(await button('Previous value').isDisabled()).toBe(true);
    await button('Next value').click();
    await page.getByRole('heading', { name: 'Porter' }).waitFor();
    expect(await page.title()).toMatch(/^Porter – Grade \d+ – Frontdesk$/);
    // In the next panel, the button has the focus again.
    await until(async () => (await page.evaluate('document.activeElement.ariaLabel')) === 'Next value');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Guard' }).waitFor();
    expect([await button('Next value').isDisabled(), new URL(page.url()).hash]).toEqual([
      true,
      `#/lists/${list}/values/GUARD`,
    ]);
    await button('Previous value').click();
    await page.getByRole('heading', { name: 'Porter' }).waitFor();
  });

  test('is copied', async () => {
    const { page, button } = await openValue();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await button('Copy value').click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe('CLERK');
    await page.context().clearPermissions();
  });

  test('is edited with the keyboard alone', async () => {
    const { page, list, toast } = await openValue();
    const focused = () =>
      page.evaluate<string>("document.activeElement.labels?.[0]?.innerText ?? document.activeElement.ariaLabel ?? ''");
    for (let presses = 0; presses < 10 && (await focused()) !== 'Label'; presses++) await page.keyboard.press('Tab');
    expect(await focused()).toBe('Label');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('Officer');
    for (let presses = 0; presses < 10 && (await focused()) !== 'Add translation'; presses++)
      await page.keyboard.press('Tab');
    await page.keyboard.type('french');
    await page
      .getByRole('option', { name: /^French/ })
      .first()
      .waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    // The focus is in the field for the translation.
    await until(async () => (await focused()) === 'French');
    await page.keyboard.type('Employé');
    await page.keyboard.press('ControlOrMeta+Enter');
    await toast('Officer saved').waitFor();
    expect(await at.itemOf(list, 'CLERK')).toMatchObject({ label: 'Officer', labels: { de: 'Kraft', fr: 'Employé' } });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(new URL(page.url()).hash).toBe(`#/lists/${list}`);
  });

  test('is closed by Escape, however it was saved, but Escape first closes open suggestions', async () => {
    const { page, panel, field, box, option, button, toast } = await openValue();
    const focused = () => page.evaluate<string>("document.activeElement.closest('[role=dialog]')?.tagName ?? ''");
    await field('Label').fill('Officer');
    await button('Save').press('Enter');
    await toast('Officer saved').waitFor();
    await until(async () => await button('Save').isDisabled());
    // If the disabled button could not keep the focus, the browser would take it away within two frames.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Save');
    expect(await focused()).toBe('SECTION');
    await box('Add translation').click();
    await page.keyboard.type('portug');
    await option(/^Portuguese/)
      .first()
      .waitFor();
    await page.keyboard.press('Escape');
    await option(/^Portuguese/)
      .first()
      .waitFor({ state: 'detached' });
    expect(await panel.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
  });

  test.each([
    [1280, 800],
    [900, 700],
    [390, 844],
  ])('is saved with a button that no toast covers, %p wide and %p high', async (width, height) => {
    const { page, field, button, toast } = await openValue();
    await page.setViewportSize({ width, height });
    await field('Label').fill('Officer');
    await button('Save').click();
    await toast('Officer saved').waitFor();
    await button('Retire…').click();
    await button('Cancel').waitFor();
    const boxes = [button('Save'), button('Retire'), page.locator('.toast')].map((each) => each.boundingBox());
    const [save, retire, shown] = await Promise.all(boxes);
    for (const box of [save, retire]) {
      if (!box || !shown) throw new Error('not shown');
      const isBeside = shown.x + shown.width <= box.x || box.x + box.width <= shown.x;
      const isAboveOrBelow = shown.y + shown.height <= box.y || box.y + box.height <= shown.y;
      expect(isBeside || isAboveOrBelow).toBe(true);
    }
  });

  test('is only shown to those who may not change it', async () => {
    const { page, button, field } = await openValue({ person: planner });
    await page.getByText('You can view this list but not change it.').waitFor();
    await page.getByText('German translation').waitFor();
    expect([await field('Label').count(), await button('Save').count(), await button('Retire…').count()]).toEqual([
      0, 0, 0,
    ]);
    await expectAccessible(page, 'a value to read', 'all but contrast');
  });

  test('that does not exist is reported as missing', async () => {
    const { page, list, button } = await openValue();
    await page.goto(`${at.desk.url}/#/lists/${list}/values/NOBODY`);
    await page.getByText('This list has no such value').waitFor();
    await expectAccessible(page, 'no such value', 'all but contrast');
    await button('Back to the list').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});

describe('a new value', () => {
  test('has a control for every field that forms can change', async () => {
    const { panel } = await openNew();
    for (const name of formFields) await panel.getByLabel(itemColumnTexts[name], { exact: true }).first().waitFor();
  });

  test('is proposed from its label and added, and the panel is then ready for another one', async () => {
    const { page, list, field, button, toast } = await openNew();
    expect(await page.evaluate('document.activeElement.labels[0].innerText')).toBe('Label');
    await field('Label').fill('Müßiggänger');
    await until(async () => (await field('Value').inputValue()) === 'MUESSIGGAENGER');
    await field('Label').fill('porter');
    expect(await field('Value').inputValue()).toBe('PORTER_2');
    await field('Value').fill('night-porter');
    await field('Label').fill('Night porter');
    expect(await field('Value').inputValue()).toBe('NIGHT_PORTER');
    await page.keyboard.press('ControlOrMeta+Enter');
    await toast('Night porter added').waitFor();
    // The panel is ready for the next value. Only the toast confirms the first one.
    expect(await page.getByText('Night porter added').count()).toBe(1);
    await until(async () => (await page.evaluate('document.activeElement.labels?.[0]?.innerText')) === 'Label');
    expect([await field('Label').inputValue(), await field('Value').inputValue()]).toEqual(['', '']);
    await expectAccessible(page, 'after adding a value', 'all but contrast');
    await page.keyboard.type('3rd shift');
    expect(await field('Value').inputValue()).toBe('V_3RD_SHIFT');
    await button('Save').click();
    await toast('3rd shift added').waitFor();
    expect((await at.keptList(list)).items.map(({ value }) => value).sort()).toEqual([
      'NIGHT_PORTER',
      'PORTER',
      'V_3RD_SHIFT',
    ]);
  });

  test('needs a label, and a value that is not in use', async () => {
    const { page, panel, field, button } = await openNew();
    await field('Label').fill('…');
    await field('Value').fill('PORTER');
    await button('Save').click();
    await page.getByText('Already exists (may be retired)').waitFor();
    expect(await page.evaluate('document.activeElement.value')).toBe('PORTER');
    await field('Label').fill('');
    await button('Save').click();
    await page.getByText('Required', { exact: true }).waitFor();
    await expectAccessible(page, 'a new value with faults', 'all but contrast');
    await page.keyboard.press('Escape');
    await button('Discard').click();
    await panel.waitFor({ state: 'detached' });
  });

  test('with an existing label is saved only after a confirmation, which links to the value that has it', async () => {
    const items = ['Porter', { label: 'Gig worker', retired: true }];
    const { page, list, field, button, toast } = await openNew({ items });
    const { version } = await at.keptList(list);
    await field('Label').fill(' gig Worker');
    await page.keyboard.press('Enter');
    await page.getByText('This list already has “Gig worker”, which is retired. You can restore it instead.').waitFor();
    expect(await page.getByRole('link', { name: 'Open GIG_WORKER' }).count()).toBe(1);
    await expectAccessible(page, 'a label that exists');
    await field('Label').fill('porter');
    await button('Save').click();
    await page.getByText('This list already has “Porter”. Forms would show both.').waitFor();
    // Enter, Ctrl+Enter and Save do not confirm the warning.
    await page.keyboard.press('Enter');
    await page.keyboard.press('ControlOrMeta+Enter');
    await button('Save').dblclick();
    expect(await page.evaluate('document.activeElement.value')).toBe('porter');
    expect((await at.keptList(list)).version).toBe(version);
    await button('Add anyway').click();
    await toast('porter added').waitFor();
    expect((await at.keptList(list)).items.map(({ value }) => value).sort()).toEqual([
      'GIG_WORKER',
      'PORTER',
      'PORTER_2',
    ]);
    // Adding a value with this label again needs a new confirmation.
    await field('Label').fill('Porter');
    await button('Save').click();
    await page.getByRole('link', { name: 'Open PORTER', exact: true }).click();
    await button('Discard').click();
    await page.getByRole('heading', { name: 'Porter' }).waitFor();
    // Renaming a value to another value's label needs a confirmation, too. A label that only contains another one does not.
    await field('Label').fill('Gig worker');
    await button('Save').click();
    await button('Save anyway').waitFor();
    await field('Label').fill('PORTER of the house');
    await button('Save').click();
    await toast('PORTER of the house saved').waitFor();
  });

  test('becomes several if several lines are pasted as its label; what was typed stays', async () => {
    const { page, list, panel, field, button, question, toast } = await openNew();
    await field('Description').fill('In the office');
    await field('Label').focus();
    await paste(page, 'Welder\nPlumber');
    for (const label of ['Add Welder', 'Add Plumber']) await page.getByRole('checkbox', { name: label }).uncheck();
    expect(await question('No values selected').getByRole('button', { name: 'Add', exact: true }).isDisabled()).toBe(
      true,
    );
    await question('No values selected').getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('These values haven’t been added yet.').waitFor();
    await button('Discard').click();
    expect([await field('Label').inputValue(), await field('Description').inputValue()]).toEqual(['', 'In the office']);
    await field('Label').focus();
    await paste(page, 'Welder\nPlumber');
    await question('Add 2 values').getByRole('button', { name: 'Add 2 values' }).click();
    await toast('2 values added').waitFor();
    expect(await at.labelsOf(list)).toEqual(['Porter', 'Welder', 'Plumber']);
    expect([await panel.isVisible(), await field('Description').inputValue()]).toEqual([true, 'In the office']);
  });

  test('gets a different value if a colleague adds the same one first', async () => {
    const { page, list, field, button, toast } = await openNew();
    await field('Label').fill('Guard');
    await at.apply({ [list]: { items: [{ value: 'GUARD', label: 'Guard' }] } });
    await until(async () => (await field('Value').inputValue()) === 'GUARD_2');
    // The list already has this label, so the form warns first.
    await button('Save').click();
    await button('Add anyway').click();
    await toast('Guard added').waitFor();
    expect((await at.keptList(list)).items.map(({ value }) => value).sort()).toEqual(['GUARD', 'GUARD_2', 'PORTER']);
    await page.keyboard.press('Escape');
  });
});
