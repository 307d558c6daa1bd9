// A real browser: Debian's Chromium where it is installed, installed where it can be.
import { type Browser, chromium } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

function findChromium(): string | undefined {
  return process.env.CHROMIUM_PATH ?? names.map((name) => Bun.which(name)).find((path) => path !== null) ?? undefined;
}

function installChromium(): void {
  for (const command of ['apt-get update', 'apt-get install -y --no-install-recommends chromium']) {
    const { exitCode, stderr } = Bun.spawnSync(['sh', '-c', command], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    if (exitCode !== 0) {
      throw new Error(`No Chromium found, and "${command}" failed. Set CHROMIUM_PATH to a browser.\n${stderr}`);
    }
  }
}

export async function openChromium(): Promise<Browser> {
  if (findChromium() === undefined) installChromium();
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('No Chromium found. Set CHROMIUM_PATH to a browser.');
  return chromium.launch({
    executablePath,
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
