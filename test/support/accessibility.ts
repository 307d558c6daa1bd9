import { expect } from 'bun:test';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Contrast takes half of the time. It can be left out where the colours are those of a page that was already checked. */
export type AxeRules = 'all' | 'contrast' | 'all but contrast';

/** Asserts that axe-core finds no fault. */
export async function expectAccessible(page: Page, state: string, rules: AxeRules = 'all'): Promise<void> {
  // Waits until the page has loaded.
  await page.locator('.overlay, h1').first().waitFor({ state: 'attached' });
  if (await page.evaluate<boolean>("typeof axe === 'undefined'")) await page.evaluate(axeSource);
  const found = await page.evaluate<{ id: string; nodes: string[] }[]>(
    // Behind a dialog, the main part and the heading of a page are hidden. What react-aria has announced stays in its live
    // region for some seconds, and may name what is no longer on the page.
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
