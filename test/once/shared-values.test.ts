// The service, the client and the console are three programs. Compares values that two of them must agree on.
import { expect, test } from 'bun:test';
import { z } from 'zod';
import { statePrefix as clientStatePrefix } from '../../client/src/sign-in.ts';
import { statePrefix } from '../../src/http/pages/pages.ts';
import { listNamePattern, valuePattern } from '../../src/lookup/rules/names.ts';
import { ItemValue } from '../../src/lookup/stored/fields.schema.ts';
import { KeptList } from '../../src/lookup/stored/kept-list.schema.ts';

test('the client recognizes the sign-ins that the service began', () => {
  expect(clientStatePrefix).toBe(statePrefix);
});

test.each([
  ['list', listNamePattern, KeptList.shape.list],
  ['value', valuePattern, ItemValue],
])('the console accepts the same pattern for the name of a %s as the service', (_, pattern, schema) => {
  expect(z.toJSONSchema(schema).pattern).toBe(`^${pattern}$`);
});
