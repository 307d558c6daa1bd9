// Requests of the console. What needs a new sign-in waits for it, and is then sent again, as the same person.
import { type Challenge, type Frontdesk, FrontdeskError } from '../../client/src/index.ts';

/** True once the person has signed in as asked, false when they cancel. */
export type AskForSignIn = (challenge: Challenge) => Promise<boolean>;

/** After the same challenge twice, another sign-in would not help. */
const mostWindows = 2;

export function createRequestWithSignIn(desk: Frontdesk, ask: AskForSignIn): Frontdesk['request'] {
  let asking: Promise<boolean> | undefined;
  /** Several changes at the same time share one window. */
  function askOnce(challenge: Challenge): Promise<boolean> {
    asking ??= ask(challenge).finally(() => {
      asking = undefined;
    });
    return asking;
  }

  return async (path, init) => {
    for (let windows = 0; ; ) {
      try {
        return await desk.request(path, init);
      } catch (error) {
        if (!(error instanceof FrontdeskError) || error.status !== 401) throw error;
        if (error.challenge !== undefined && windows++ < mostWindows && (await askOnce(error.challenge))) continue;
        // A dialog asks the person to sign in again.
        if (desk.session().status !== 'signed-out') throw error;
        await signedIn(desk);
      }
    }
  };
}

/** As the same person: the client refuses the token of another one. */
function signedIn(desk: Frontdesk): Promise<void> {
  return new Promise((resolve) => {
    const stop = desk.subscribe(() => {
      if (desk.session().status !== 'signed-in') return;
      stop();
      resolve();
    });
  });
}
