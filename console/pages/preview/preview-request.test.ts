import { expect, test } from 'bun:test';
import { clientCodeOf, curlOf } from './preview-request.ts';

const baseUrl = 'https://desk.example.com/hr/';

test('the request is written as a curl command', () => {
  expect(curlOf({ baseUrl, list: 'position', language: undefined })).toBe(
    `curl 'https://desk.example.com/hr/employee/position' \\\n  -H "Authorization: Bearer $TOKEN"`,
  );
  expect(curlOf({ baseUrl, list: 'position', language: 'pt-BR' })).toEndWith(` \\\n  -H 'Accept-Language: pt-BR'`);
});

test('the request is written as client code', () => {
  expect(clientCodeOf({ list: 'position', language: undefined })).toBe(
    "const items = await frontdesk.lookup('position');",
  );
  expect(clientCodeOf({ list: 'position', language: 'de' })).toBe(
    "const items = await frontdesk.lookup('position', { language: 'de' });",
  );
});
