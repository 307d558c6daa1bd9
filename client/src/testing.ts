// A Frontdesk for unit tests without a server: the real client with a service in memory.
import type { Environment } from './environment.ts';
import { type CurrentUser, createFrontdesk, type Frontdesk, type PopupResult, type SignedOutReason } from './index.ts';
import type { TestItem, TestTitle } from './testing-lists.ts';
import type { TestProblem } from './testing-problems.ts';
import { createTestService, type TestRequest } from './testing-service.ts';

export type { TestItem, TestTitle } from './testing-lists.ts';
export type { TestProblem } from './testing-problems.ts';
export type { TestRequest } from './testing-service.ts';

export interface TestFrontdeskOptions {
  /** The items of each list, by its name. */
  lists?: Readonly<Record<string, readonly TestItem[]>>;
  /** The titles and descriptions of lists, by name. The title of any other list is its name. */
  titles?: Readonly<Record<string, TestTitle>>;
  /** The person who is signed in at the start; missing fields get sample values. `null`: nobody is signed in. */
  person?: Partial<CurrentUser> | null;
  baseUrl?: string;
  language?: string;
  onSignedOut?: (reason: SignedOutReason) => void;
  /** Answers other requests that the application makes with `request()`. */
  answer?: (request: Request) => Response | undefined | Promise<Response | undefined>;
}

export interface TestControl {
  /** The client's requests so far. */
  requests: readonly TestRequest[];
  /** Changes a list, or adds one, and reports it to open streams of changes. */
  setList(list: string, items: readonly TestItem[]): void;
  /** Ends the session as if it ended elsewhere or was idle for too long. Resolves when the client knows. */
  endSession(): Promise<void>;
  /** Simulates a sign-in in another window, by the same person or a different one. */
  signIn(person?: Partial<CurrentUser>): void;
  /** Makes the next requests fail: they are refused, or get no answer (`network`). */
  fail(code: TestProblem | 'network', options?: { path?: string; times?: number; retryAfter?: number }): void;
  /** Leaves every request without an answer until goOnline(). */
  goOffline(): void;
  goOnline(): void;
  /** Simulates the person's return to the page. */
  focus(): void;
}

const samplePerson: CurrentUser = {
  sub: 'E-1',
  name: 'Sample Person',
  givenName: 'Sample',
  familyName: 'Person',
  picture: 'http://localhost/auth/avatars/SP',
  email: 'sample.person@example.com',
  emailVerified: true,
  phoneNumber: '+1 555 010 0001',
  roles: ['EMPLOYEE'],
};

/** Creates a client like createFrontdesk(), but signed in and with `control`. Signing in and out opens no page. */
export function createTestFrontdesk(options: TestFrontdeskOptions = {}): Frontdesk & { control: TestControl } {
  const { lists = {}, titles = {}, person, baseUrl = 'http://localhost:3000', language, onSignedOut, answer } = options;
  const service = createTestService({ baseUrl, lists, titles, answer });
  const page = openPage();
  const client = createFrontdesk(
    { baseUrl, fetch: service.fetch, ...(language && { language }), ...(onSignedOut && { onSignedOut }) },
    page.environment,
  );

  /** Does what a second window does: sends a token to this page. */
  function signInAs(someone: Partial<CurrentUser> | null | undefined): void {
    service.beginSession({ ...samplePerson, ...someone });
    const { accessToken, expirationInSeconds } = service.issueToken();
    const receivedAt = Date.now();
    const token = { token: accessToken, receivedAt, until: receivedAt + expirationInSeconds * 1000 };
    page.receive({ kind: 'token', token, isSignIn: true });
  }
  if (person !== null) signInAs(person);

  return {
    ...client,
    async signIn(): Promise<PopupResult> {
      signInAs(person);
      return 'signed-in';
    },
    signOut: () => client.logout(),
    control: {
      requests: service.requests,
      setList: service.setList,
      signIn: (someone = person ?? {}) => signInAs(someone),
      async endSession() {
        service.endSession();
        await client.me().catch(() => {});
      },
      fail(code, { path = '', times = 1, retryAfter } = {}) {
        service.fail({ code, path, times, retryAfter });
      },
      goOffline: () => service.setOffline(true),
      goOnline() {
        service.setOffline(false);
        page.tell('online');
      },
      focus: () => page.tell('focus'),
    },
  };
}

/** Creates the environment of a page without other tabs. */
function openPage() {
  const receivers: ((message: unknown) => void)[] = [];
  const watchers: Parameters<Environment['watch']>[0][] = [];
  const environment: Environment = {
    locks: undefined,
    openChannel(_, receive) {
      receivers.push(receive);
      return () => {};
    },
    watch: (onEvent) => void watchers.push(onEvent),
  };
  return {
    environment,
    receive(message: unknown): void {
      for (const receive of receivers) receive(message);
    },
    tell(event: 'focus' | 'online'): void {
      for (const watcher of watchers) watcher(event);
    },
  };
}
