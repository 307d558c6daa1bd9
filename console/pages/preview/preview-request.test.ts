import { expect, test } from 'bun:test';
import { clientCodeOf, curlOf, titleFromName } from './preview-request.ts';

const baseUrl = 'https://desk.example.com/hr/';

test('the request is shown as a curl command', () => {
  expect(curlOf({ baseUrl, list: 'position', language: undefined })).toBe(
    `curl 'https://desk.example.com/hr/employee/position' \\\n  -H "Authorization: Bearer $TOKEN"`,
  );
  expect(curlOf({ baseUrl, list: 'position', language: 'pt-BR' })).toEndWith(` \\\n  -H 'Accept-Language: pt-BR'`);
});

test('the request is shown as code with the client', () => {
  expect(clientCodeOf({ list: 'position', language: undefined })).toBe(
    "const items = await frontdesk.lookup('position');",
  );
  expect(clientCodeOf({ list: 'position', language: 'de' })).toBe(
    "const items = await frontdesk.lookup('position', { language: 'de' });",
  );
});

test('the title of a list that has none here is made from its name', () => {
  expect(titleFromName('pay-grade')).toBe('Pay grade');
});
