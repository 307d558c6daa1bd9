import { expect } from 'bun:test';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Contrast checks take half of the time. Leave them out if a page with the same colours has already been checked. */
export type AxeRules = 'all' | 'contrast' | 'all but contrast';

/** Asserts that axe-core finds no fault. */
export async function expectAccessible(page: Page, state: string, rules: AxeRules = 'all'): Promise<void> {
  await page.locator('.overlay, h1').first().waitFor({ state: 'attached' });
  if (await page.evaluate<boolean>("typeof axe === 'undefined'")) await page.evaluate(axeSource);
  const found = await page.evaluate<{ id: string; nodes: string[] }[]>(
    // Behind a dialog, the main part and the heading of a page are hidden. react-aria's live region is excluded: its
    // announcements stay for some seconds, and may refer to elements that are no longer on the page.
    `(() => {
      const isPage = document.querySelector('.overlay') === null;
      const rules = { 'landmark-one-main': { enabled: isPage }, 'page-has-heading-one': { enabled: isPage } };
      const options = ${JSON.stringify(rules)} === 'contrast'
        ? { runOnly: ['color-contrast'] }
        : { rules: { ...rules, 'color-contrast': { enabled: ${rules === 'all'} } } };
      return axe.run({ exclude: ['[data-live-announcer]'] }, { ...options, resultTypes: ['violations'] });
    })().then(({ violations }) =>
      violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) })))`,
  );
  expect({ state, found }).toEqual({ state, found: [] });
}
