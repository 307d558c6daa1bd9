import { expect, test } from 'bun:test';
import { serveText } from './files.ts';

test('a file whose preparation failed is prepared again for the next request', async () => {
  let tries = 0;
  const serve = serveText(async () => {
    if (++tries === 1) throw new Error('not now');
    return 'the file';
  }, {});
  const call = { headers: {} };
  await expect(serve(call)).rejects.toThrow('not now');
  expect(await (await serve(call)).text()).toBe('the file');
  expect(await (await serve(call)).text()).toBe('the file');
  expect(tries).toBe(2);
});
