// What the client's hooks show: lists that are cached, refetched and shared, and one stream of changes for all tabs. Clock,
// tabs and answers are scripted; test/once/client-react.test.ts tests the hooks themselves in Chromium.
import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test';
import { findResource } from '../../client/src/resource.ts';
import { openBrowser, pass, problem, scriptDesk, settle } from '../support/scripted-desk.ts';

let { desk, send } = scriptDesk();
/** The streams that were opened, in order. */
let streams: { emit(text: string): void; fail(): void; isOpen(): boolean }[] = [];
/** The label of the item in the scripted list. */
let label = 'One';
let browser = openBrowser(send);
beforeEach(() => {
  ({ desk, send } = scriptDesk());
  browser = openBrowser(send);
  streams = [];
  label = 'One';
  desk.answer = ({ path, token = '' }, signal) => {
    if (!desk.valid.has(token)) return undefined;
    if (path === '/lookups/changes') return openStream(signal);
    if (path === '/employee/position') return Response.json([{ label }]);
    return undefined;
  };
});
afterEach(() => {
  jest.useRealTimers();
});

function openStream(signal: AbortSignal | null | undefined): Response {
  let isOpen = true;
  const body = new ReadableStream({
    start(controller) {
      const end = (error: unknown) => {
        if (isOpen) controller.error(error);
        isOpen = false;
      };
      signal?.addEventListener('abort', () => end(signal.reason));
      streams.push({
        emit: (text) => controller.enqueue(new TextEncoder().encode(text)),
        fail: () => end(new TypeError('network error')),
        isOpen: () => isOpen,
      });
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

const change = (list = 'position', id = 7) => `id: ${id}\ndata: ${JSON.stringify({ list, version: 2 })}\n\n`;
const requests = () => desk.paths().filter((path) => path === '/employee/position').length;
const openStreams = () => streams.filter(({ isOpen }) => isOpen()).length;

type Tab = ReturnType<typeof browser.openTab>;

/** Stands in for a component that shows the list, and counts how often it would be rendered again. */
function show({ client }: Tab, { isLive = true } = {}) {
  const resource = findResource(client, 'position', () => client.lookup('position'), ['position']);
  let drawn = 0;
  const stop = resource.subscribe(() => drawn++);
  resource.require('1');
  const stopWatching = isLive ? resource.watch() : () => {};
  return {
    resource,
    drawn: () => drawn,
    labels: () => resource.state().data?.map((item) => item.label),
    leave() {
      stop();
      stopWatching();
    },
  };
}

async function openSignedIn() {
  const tab = browser.openTab();
  await tab.client.resume();
  return tab;
}

async function openWithList(options = {}) {
  const tab = await openSignedIn();
  const shown = show(tab, options);
  await settle();
  return { ...tab, ...shown };
}

describe('one stream for all tabs', () => {
  test('a change reaches every tab through the connection of one tab', async () => {
    const tabs = [await openWithList(), await openWithList(), await openWithList()];
    expect(openStreams()).toBe(1);
    label = 'Two';
    streams[0]?.emit(change());
    await settle();
    expect(tabs.map(({ labels }) => labels())).toEqual([['Two'], ['Two'], ['Two']]);
  });

  test('when a different list changes, nothing is requested', async () => {
    await openWithList();
    const before = requests();
    streams[0]?.emit(change('employee-level'));
    await settle();
    expect(requests()).toBe(before);
  });

  test('when the tab with the stream is closed, another takes over, and changes made meanwhile are shown', async () => {
    const first = await openWithList();
    const second = await openWithList();
    const third = await openWithList();
    first.close();
    label = 'Changed while no stream was open';
    await settle();
    expect(streams.length).toBe(2);
    expect([second.labels(), third.labels()]).toEqual([[label], [label]]);
    label = 'Two';
    streams[1]?.emit(change());
    await settle();
    expect([second.labels(), third.labels()]).toEqual([['Two'], ['Two']]);
  });

  test('when the tab with the stream no longer shows a list, another takes over', async () => {
    const first = await openWithList();
    const second = await openWithList();
    first.leave();
    await pass(1);
    expect([streams.length, openStreams()]).toEqual([2, 1]);
    label = 'Two';
    streams[1]?.emit(change());
    await settle();
    expect([first.labels(), second.labels()]).toEqual([['One'], ['Two']]);
  });

  test('a change between the first answer and the stream is not missed', async () => {
    const opening = Promise.withResolvers<void>();
    const { answer } = desk;
    desk.answer = (request, signal) =>
      request.path === '/lookups/changes'
        ? opening.promise.then(() => openStream(signal))
        : (answer?.(request, signal) ?? undefined);
    const tab = await openWithList();
    expect(tab.labels()).toEqual(['One']);
    label = 'Two';
    opening.resolve();
    await settle();
    expect(tab.labels()).toEqual(['Two']);
  });

  test('replacing one form with another keeps the stream open', async () => {
    const tab = await openWithList();
    tab.leave();
    await pass(0.5);
    show(tab);
    await pass(1);
    expect([streams.length, openStreams()]).toEqual([1, 1]);
  });

  test('it ends with the session, and begins again with the next sign-in', async () => {
    const tab = await openWithList();
    await tab.client.logout();
    await settle();
    expect(openStreams()).toBe(0);
    desk.person = 'E-1';
    await tab.client.resume();
    await settle();
    expect([streams.length, openStreams()]).toEqual([2, 1]);
  });

  test('without locks, each tab has its own stream', async () => {
    browser = openBrowser(send, { hasLocks: false });
    const tabs = [await openWithList(), await openWithList()];
    expect(openStreams()).toBe(2);
    label = 'Two';
    const before = requests();
    for (const each of streams) each.emit(change());
    await settle();
    expect(tabs.map(({ labels }) => labels())).toEqual([['Two'], ['Two']]);
    expect(requests() - before).toBe(2);
  });

  test('an answer that does not come from Frontdesk leads to retries at growing intervals', async () => {
    const { answer } = desk;
    desk.answer = (request, signal) =>
      request.path === '/lookups/changes' ? new Response('<h1>Welcome</h1>') : answer?.(request, signal);
    await openWithList();
    const tries = () => desk.paths().filter((path) => path === '/lookups/changes').length;
    expect(tries()).toBe(1);
    await pass(1);
    expect(tries()).toBe(2);
    await pass(2);
    expect(tries()).toBe(3);
    desk.answer = answer;
    await pass(4);
    expect(openStreams()).toBe(1);
  });
});

describe('a list', () => {
  test('is requested once, however many components show it, even if they are mounted twice', async () => {
    const tab = await openSignedIn();
    show(tab, { isLive: false }).leave();
    show(tab, { isLive: false });
    show(tab, { isLive: false });
    await settle();
    expect(requests()).toBe(1);
  });

  test('that is the same as before stays the same object', async () => {
    const tab = await openWithList({ isLive: false });
    const { data } = tab.resource.state();
    await pass(5);
    tab.focus();
    await settle();
    expect(requests()).toBe(2);
    expect(tab.resource.state().data).toBe(data);
  });

  test('does not render a component again after it has left', async () => {
    const tab = await openSignedIn();
    const shown = show(tab, { isLive: false });
    const before = shown.drawn();
    shown.leave();
    await settle();
    expect(shown.drawn()).toBe(before);
  });

  test('is requested again when the person comes back, but not within five seconds', async () => {
    const tab = await openWithList({ isLive: false });
    tab.focus();
    await pass(4);
    tab.focus();
    await settle();
    expect(requests()).toBe(1);
    await pass(1);
    tab.focus();
    tab.focus();
    await settle();
    expect(requests()).toBe(2);
  });

  test('that changes while it is loaded is requested again', async () => {
    const tab = await openWithList();
    const slow = Promise.withResolvers<Response>();
    const { answer } = desk;
    desk.answer = (request, signal) =>
      request.path === '/employee/position' ? slow.promise : answer?.(request, signal);
    await pass(5);
    tab.focus();
    await settle();
    streams[0]?.emit(change());
    await settle();
    desk.answer = answer;
    label = 'Two';
    slow.resolve(Response.json([{ label: 'One' }]));
    await settle();
    expect(tab.labels()).toEqual(['Two']);
  });
});

describe('without a connection', () => {
  const unreachable = () => Promise.reject(new TypeError('fetch failed'));

  test('the last list stays, and is requested again at growing intervals while it is shown', async () => {
    const tab = await openWithList({ isLive: false });
    const { answer } = desk;
    desk.answer = unreachable;
    await pass(5);
    tab.focus();
    await settle();
    expect(tab.resource.state()).toMatchObject({ data: [{ label: 'One' }], isStale: true, isFetching: false });
    expect(tab.resource.state().error?.code).toBe('network');
    await pass(0.49);
    expect(requests()).toBe(2);
    await pass(0.6);
    expect(requests()).toBe(3);
    // The second pause is at least a second, however long the first one was.
    await pass(0.4);
    expect(requests()).toBe(3);
    desk.answer = answer;
    await pass(2);
    expect(tab.resource.state()).toMatchObject({ error: undefined, isStale: false });
    desk.answer = unreachable;
    await pass(5);
    tab.focus();
    await settle();
    tab.leave();
    const before = requests();
    await pass(60);
    expect(requests()).toBe(before);
  });

  test('it is requested at once when the network is back', async () => {
    const tab = await openSignedIn();
    const { answer } = desk;
    desk.answer = unreachable;
    const shown = show(tab, { isLive: false });
    await settle();
    expect(shown.resource.state()).toMatchObject({ data: undefined, isLoading: false });
    desk.answer = answer;
    tab.comeOnline();
    await settle();
    expect(shown.labels()).toEqual(['One']);
  });

  test('Retry-After is respected, even when the person or the network comes back', async () => {
    const tab = await openSignedIn();
    const { answer } = desk;
    desk.answer = () => problem('rate-limited', 429, { 'retry-after': '60' });
    const shown = show(tab, { isLive: false });
    await settle();
    desk.answer = answer;
    await pass(59);
    tab.comeOnline();
    tab.focus();
    await settle();
    expect(requests()).toBe(1);
    await pass(2);
    expect(shown.labels()).toEqual(['One']);
  });

  test('nothing is retried after a permanent error', async () => {
    desk.answer = () => problem('not-found', 404);
    const tab = await openSignedIn();
    const shown = show(tab, { isLive: false });
    await pass(120);
    expect([requests(), shown.resource.state().error?.code]).toEqual([1, 'not-found']);
  });
});

test('after the session has ended the list stays, and nothing is requested until somebody signs in', async () => {
  const tab = await openWithList();
  desk.person = undefined;
  desk.valid.clear();
  streams[0]?.fail();
  await settle();
  await pass(1);
  expect(tab.client.session().status).toBe('signed-out');
  const before = desk.requests.length;
  await pass(60);
  tab.focus();
  tab.comeOnline();
  tab.resource.require('signed out');
  await settle();
  expect([tab.labels(), desk.requests.length]).toEqual([['One'], before]);
  label = 'Two';
  desk.person = 'E-1';
  await tab.client.resume();
  tab.resource.require('signed in');
  await settle();
  expect(tab.labels()).toEqual(['Two']);
});
