import { expect, test } from 'bun:test';
import { readConfig } from '../../config/config.ts';
import { explainIdentity } from '../provider/explanation.ts';
import { resultPage } from './trial-page.ts';

test('each dropped or renamed role names the setting that did it', () => {
  const settings = readConfig({
    OIDC_ISSUER: 'https://id.example.com',
    OIDC_CLIENT_ID: 'frontdesk',
    OIDC_CLIENT_AUTH: 'none',
    OIDC_PRESET: 'keycloak',
    ROLE_MAP: 'hr=LOOKUP_ADMIN,noise=',
  });
  const idToken = { sub: 'E-1', realm_access: { roles: ['hr', 'noise', 'offline_access', 'STAFF'] } };
  const explanation = explainIdentity(idToken, {}, settings);
  const result = { idToken, userinfo: {}, explanation, clockLeadSeconds: 0, refusal: undefined };
  const rows = resultPage(result, 'http://localhost:3000').matchAll(
    /<tr><td><code>(.*?)<\/code>.*<td>(.*?)<\/td><\/tr>/g,
  );
  expect([...rows].map(([, theirs, here]) => [theirs, here])).toEqual([
    ['hr', '<code>LOOKUP_ADMIN</code>, renamed by <code>ROLE_MAP</code>'],
    ['noise', 'dropped by <code>ROLE_MAP</code>'],
    ['offline_access', 'dropped by <code>OIDC_PRESET</code>'],
    ['STAFF', '<code>STAFF</code>'],
  ]);
});
