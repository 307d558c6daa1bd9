import { expect, test } from 'bun:test';
import { nameBrowser } from '../../../src/auth/login/browser-name.ts';
import { describeDevice } from './device-name.ts';

test.each([
  ['Chrome 131 on Windows', 'Chrome on Windows', 'computer'],
  ['Samsung Internet 27 on Android', 'Samsung Internet on Android', 'phone'],
  ['Safari 18 on iPad', 'Safari on iPad', 'tablet'],
  ['iPhone', 'iPhone', 'phone'],
  ['curl 8', 'curl', 'unknown'],
  [undefined, 'Unknown browser', 'unknown'],
] as const)('%p is %s', (browser, name, kind) => {
  expect(describeDevice(browser)).toEqual({ name, kind });
});

test('the browser name that the service stores for a user agent is recognised', () => {
  const agent = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.1 Safari/605.1.15';
  expect(describeDevice(nameBrowser(agent))).toEqual({ name: 'Safari on macOS', kind: 'computer' });
});
