// A real browser.
import { type Browser, chromium } from 'playwright-core';
import { programPath } from './programs.ts';

export async function openChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: programPath('chromium'),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}
