// A real browser.
import { type Browser, chromium, type Page } from 'playwright-core';
import { programPath } from './programs.ts';

let shared: Promise<Browser> | undefined;

/** The browser of this process, launched once; it ends with the process. Call `closeContexts` instead of `close`. */
export function openChromium(): Promise<Browser> {
  shared ??= launchChromium();
  return shared;
}

export async function closeContexts(browser: Browser | undefined): Promise<void> {
  await Promise.all((browser?.contexts() ?? []).map((context) => context.close()));
}

export async function launchChromium(options: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: programPath('chromium'),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      ...options,
    ],
  });
}

export interface Observations {
  /** Errors, refused resources, policy violations. */
  complaints: string[];
  /** Requests to addresses other than the given ones. */
  foreign: string[];
}

/** Collects a page's errors, except expected ones, and its requests to other addresses. */
export function observe(
  page: Page,
  addresses: readonly string[],
  { complaints, foreign }: Observations,
  isExpected: (message: string) => boolean = () => false,
): void {
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !isExpected(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const isOurs = [...addresses, 'data:', 'blob:'].some((prefix) => request.url().startsWith(prefix));
    if (!isOurs) foreign.push(request.url());
  });
}
