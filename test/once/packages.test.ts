// What npm prints when Frontdesk is installed: nothing but the number of packages added.
import { expect, test } from 'bun:test';
import packageJson from '../../package.json';
import packageLock from '../../package-lock.json';

interface LockedPackage {
  version?: string;
  engines?: { node?: string };
  deprecated?: string;
}

const oldestNode = `${packageJson.engines.node.replace('>=', '')}.0`;
const packages = Object.entries(packageLock.packages as Record<string, LockedPackage>);

test('every package installs without a warning on the oldest Node that Frontdesk names', () => {
  const unwilling = packages.filter(([, { engines }]) => !Bun.semver.satisfies(oldestNode, engines?.node ?? '*'));
  expect(unwilling.map(([name, { engines }]) => `${name} wants Node ${engines?.node}`)).toEqual([]);
  expect(packages.length).toBeGreaterThan(100);
});

test('no package is deprecated', () => {
  expect(packages.filter(([, { deprecated }]) => deprecated !== undefined).map(([name]) => name)).toEqual([]);
});
