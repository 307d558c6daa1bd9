// The browser of a session as people know it. The service stores no more than "Chrome 131 on Windows".
import { devices } from './devices.ts';

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
  // Versions change every few weeks: they help nobody to recognize a device.
  const name = named.replace(/ \d+$/, '');
  if (system === undefined) return { name, kind: kinds[name] ?? 'unknown' };
  return { name: devices.browserOn(name, system), kind: kinds[system] ?? 'unknown' };
}
