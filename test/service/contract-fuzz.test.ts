// Sends requests generated from the contract, as `npm test -- fuzz` does, but fewer.
import { beforeAll, describe, expect, test } from 'bun:test';
import { type FuzzReport, fuzzContract } from '../support/contract-fuzz.ts';
import { startFrontdesk } from '../support/frontdesk.ts';
import { shared } from '../support/shared.ts';
import { isThorough } from '../support/thorough.ts';

const desk = shared(() => startFrontdesk({ RATE_LIMIT_API: '0' }));
let report: FuzzReport;
beforeAll(async () => {
  report = await fuzzContract({ url: desk.url, seed: 2, requests: isThorough ? 20_000 : 1500 });
});

test('every request, allowed or forbidden by the contract, gets an answer in the contract', () => {
  expect(report.faults).toEqual([]);
});

test('the requests get every kind of answer, from most of the operations', () => {
  expect(report.counts.size).toBeGreaterThan(100);
  const statuses = new Set([...report.counts.keys()].map((key) => Number(key.split(' ')[1])));
  expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 204, 400, 401, 403, 404, 409, 412, 415]));
});

/** Runs only in thorough runs, because some of these answers occur once in thousands of requests. */
const describeCoverage = () => {
  test.each([
    ['createList', [201, 400, 401, 403, 409]],
    ['addItem', [201, 400, 401, 403, 404, 409, 412]],
    ['changeItem', [200, 400, 401, 403, 404, 412]],
    ['retireItem', [200, 400, 401, 403, 404]],
    ['restoreItem', [200, 400, 401, 403, 404]],
    ['orderItems', [200, 400, 401, 403, 404]],
    ['undoListChanges', [200, 400, 401, 403, 404]],
    ['planDocument', [200, 400, 401, 403]],
    ['applyDocument', [200, 400, 401, 403]],
    ['validateValues', [200, 400, 401]],
    ['listItems', [200, 400, 401, 404]],
    ['getListHistory', [200, 400, 401, 403, 404]],
    ['getLastChanges', [200, 401, 403, 404]],
    ['getListVersion', [200, 401, 403, 404]],
    ['searchLists', [200, 400, 401, 403]],
    ['listAuditRows', [200, 400, 401, 403]],
    ['getCurrentUser', [200, 401]],
    ['endSession', [204, 401]],
    ['renewSession', [200, 401, 403]],
  ])('%s was answered with each of %p', (operationId, statuses) => {
    const seen = statuses.filter((status) => report.counts.has(`${operationId} ${status}`));
    expect(seen).toEqual(statuses);
  });
};
if (isThorough) describe('the requests cover the answers', describeCoverage);
