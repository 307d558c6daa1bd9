// A readable name for the browser of a session. The service stores only a text like "Chrome 131 on Windows".
import { catalogue } from '../../parts/catalogue.ts';

const devices = catalogue(
  {
    browserOn: (browser: string, system: string) => `${browser} on ${system}`,
    unknown: 'Unknown browser',
  },
  {
    browserOn: (browser: string, system: string) => `${browser} unter ${system}`,
    unknown: 'Unbekannter Browser',
  },
);

export interface Device {
  name: string;
  kind: 'computer' | 'phone' | 'tablet' | 'unknown';
}

const kinds: Record<string, Device['kind']> = {
  Android: 'phone',
  iPhone: 'phone',
  iPad: 'tablet',
  Windows: 'computer',
  macOS: 'computer',
  ChromeOS: 'computer',
  Linux: 'computer',
};

export function describeDevice(browser: string | undefined): Device {
  if (browser === undefined) return { name: devices.unknown, kind: 'unknown' };
  const [named = '', system] = browser.split(' on ');
  // The version changes every few weeks and does not help to recognise a device.
  const name = named.replace(/ \d+$/, '');
  if (system === undefined) return { name, kind: kinds[name] ?? 'unknown' };
  return { name: devices.browserOn(name, system), kind: kinds[system] ?? 'unknown' };
}
