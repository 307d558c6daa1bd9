// What the tests of a value's side panel share: people, a list for each test, and the contents of the panel.
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { GivenItem } from './console.ts';
import { startConsoleWithPeople } from './console-people.ts';

export const clerk = {
  label: 'Clerk',
  labels: { de: 'Kraft' },
  codes: { workday: 'JP-1' },
  tags: ['office'],
};

interface OpenOptions {
  items?: GivenItem[];
  person?: string;
  context?: BrowserContextOptions;
}

export type ValueConsole = Awaited<ReturnType<typeof startValueConsole>>;

export async function startValueConsole() {
  const at = await startConsoleWithPeople();

  /** Creates a list, and opens the panel of its first value. */
  async function openValue({ items = [clerk, 'Porter', 'Guard'], person = 'E-1001', context = {} }: OpenOptions = {}) {
    const list = await at.makeList(items);
    const [item] = (await at.keptList(list)).items;
    const page = await at.enter(person, context, `lists/${list}/values/${item?.value}`);
    await inPanel(page).panel.waitFor();
    return { list, page, ...inPanel(page) };
  }

  async function openNew({ items = ['Porter'], person = 'E-1001', context = {} }: OpenOptions = {}) {
    const list = await at.makeList(items);
    const page = await at.enter(person, context, `lists/${list}/new`);
    await inPanel(page).panel.waitFor();
    return { list, page, ...inPanel(page) };
  }

  const itemOf = async (list: string, value: string) =>
    (await at.keptList(list)).items.find((item) => item.value === value);

  return { ...at, openValue, openNew, itemOf };
}

function inPanel(page: Page) {
  return {
    panel: page.getByRole('dialog').first(),
    field: (name: string) => page.getByRole('textbox', { name, exact: true }),
    box: (name: string) => page.getByRole('combobox', { name, exact: true }),
    option: (name: string | RegExp) => page.getByRole('option', { name }),
    button: (name: string) => page.getByRole('button', { name, exact: true }),
    /** The dialog with this title. */
    question: (name: string) => page.getByRole('dialog', { name }).or(page.getByRole('alertdialog', { name })),
    toast: (text: string) => page.getByRole('region', { name: /notification/ }).getByText(text),
  };
}
