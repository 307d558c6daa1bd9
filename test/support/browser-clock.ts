// Changes the clock that the client reads in a real browser, on open pages and on pages that are opened later.
import type { BrowserContext } from 'playwright-core';

export async function installClock(context: BrowserContext): Promise<(seconds: number) => Promise<void>> {
  let lead = 0;
  await context.addInitScript(`(() => {
    const now = Date.now.bind(Date);
    globalThis.clockLead = 0;
    Date.now = () => now() + globalThis.clockLead;
  })()`);
  return async (seconds) => {
    lead += seconds * 1000;
    await context.addInitScript(`globalThis.clockLead = ${lead}`);
    for (const page of context.pages()) await page.evaluate(`globalThis.clockLead = ${lead}`);
  };
}
