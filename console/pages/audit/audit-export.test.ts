import { expect, test } from 'bun:test';
import type { AuditRow } from '../../shell/api.ts';
import { type AuditFormat, exportAudit } from './audit-export.ts';

const rowOf = (id: number, detail: string | null = null): AuditRow => ({
  id: String(id),
  at: '2027-01-31T08:00:00.000Z',
  type: 'sign-in',
  person: 'E-1',
  personName: 'Ada',
  actor: 'E-1',
  actorName: null,
  session: null,
  address: null,
  requestId: null,
  detail,
});

function serve(rows: AuditRow[]) {
  const asked: Record<string, string>[] = [];
  const readPage = async (query: Record<string, string>) => {
    asked.push(query);
    const page = rows.filter(({ id }) => Number(id) > Number(query.after)).slice(0, Number(query.limit));
    return { rows: page, next: page.at(-1)?.id ?? query.after ?? '0' };
  };
  return { asked, readPage };
}

const options = { format: 'jsonl' as AuditFormat, parameters: { type: 'sign-in' }, onProgress: () => {} };

test('an export has every row once, oldest first, and reads page by page with the same filter', async () => {
  const rows = Array.from({ length: 5 }, (_, index) => rowOf(index * 2 + 1));
  const { asked, readPage } = serve(rows);
  const progress: number[] = [];
  const exported = await exportAudit({
    ...options,
    readPage,
    onProgress: (count) => progress.push(count),
    signal: new AbortController().signal,
    pageRows: 2,
  });
  expect(await exported?.file.text()).toBe(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  expect([exported?.rows, exported?.isComplete]).toEqual([5, true]);
  expect(progress).toEqual([2, 4, 5]);
  expect(asked.map(({ after, type }) => [after, type])).toEqual([
    ['0', 'sign-in'],
    ['3', 'sign-in'],
    ['7', 'sign-in'],
  ]);
});

test('a file has a maximum number of rows, and the result says if there are more', async () => {
  const signal = new AbortController().signal;
  const rows = [1, 2, 3].map((id) => rowOf(id));
  const cut = await exportAudit({ ...options, ...serve(rows), signal, pageRows: 2, maxRows: 2 });
  expect([cut?.rows, cut?.isComplete]).toEqual([2, false]);
  const whole = await exportAudit({ ...options, ...serve(rows), signal, pageRows: 2, maxRows: 3 });
  expect([whole?.rows, whole?.isComplete]).toEqual([3, true]);
});

test('an export that is cancelled stops, and sends no more requests', async () => {
  const stop = new AbortController();
  const { asked, readPage } = serve(Array.from({ length: 50 }, (_, index) => rowOf(index + 1)));
  const onProgress = (rows: number) => rows === 20 && stop.abort();
  expect(await exportAudit({ ...options, readPage, onProgress, signal: stop.signal, pageRows: 10 })).toBeUndefined();
  expect(asked).toHaveLength(2);
});

test('a search that finds nothing on a page continues to the last page', async () => {
  const pages: Record<string, { rows: AuditRow[]; next: string }> = {
    0: { rows: [], next: '2000' },
    2000: { rows: [rowOf(2500)], next: '4000' },
    4000: { rows: [], next: '4000' },
  };
  const readPage = async ({ after = '' }: Record<string, string>) => pages[after] ?? { rows: [], next: after };
  const signal = new AbortController().signal;
  const found = await exportAudit({ ...options, parameters: { q: 'clerk' }, readPage, signal });
  expect([found?.rows, found?.isComplete]).toEqual([1, true]);
});

test('CSV is quoted, and no cell is a formula', async () => {
  const { readPage } = serve([rowOf(1, 'a "b", c\nd'), rowOf(2, '=HYPERLINK("x")')]);
  const exported = await exportAudit({
    ...options,
    format: 'csv',
    readPage,
    signal: new AbortController().signal,
  });
  const bytes = new Uint8Array((await exported?.file.arrayBuffer()) ?? new ArrayBuffer());
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(await exported?.file.text()).toEndWith(
    'id,at,type,person,personName,actor,actorName,session,address,requestId,detail\r\n' +
      '1,2027-01-31T08:00:00.000Z,sign-in,E-1,Ada,E-1,,,,,"a ""b"", c\nd"\r\n' +
      `2,2027-01-31T08:00:00.000Z,sign-in,E-1,Ada,E-1,,,,,"'=HYPERLINK(""x"")"\r\n`,
  );
});
