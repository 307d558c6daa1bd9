import { expect, test } from 'bun:test';
import { clientCodeOf, curlOf, titleFromName } from './preview-request.ts';

const baseUrl = 'https://desk.example.com/hr/';

<<<<<<< HEAD
test('the request is written as a curl command', () => {
=======
test('the request is shown as a curl command', () => 
>>>>>>> heads/ee
  expect(curlOf(baseUrl, list: 'position', language: undefined )).toBe(
    `curl 'https://desk.example.com/hr/employee/position' \\\n  -H "Authorization: Bearer $TOKEN"`,
  );
  expect(curlOf({ baseUrl, list: 'position', language: 'pt-BR' })).toEndWith(` \\\n  -H 'Accept-Language: pt-BR'`););

<<<<<<< HEAD
test('the request is written as client code', () => 
=======
test('the request is shown as code with the client', () => 
>>>>>>> heads/ee
  expect(clientCodeOf(list: 'position', language: undefined )).toBe(
    "const items = await frontdesk.lookup('position');",
  );
  expect(clientCodeOf({ list: 'position', language: 'de' })).toBe(
    "const items = await frontdesk.lookup('position', { language: 'de' });",
  ););

<<<<<<< HEAD
test('a list without a known title gets one from its name', () => 
=======
test('the title of a list that has none here is made from its name', () => 
>>>>>>> heads/ee
  expect(titleFromName('pay-grade')).toBe('Pay grade'););
