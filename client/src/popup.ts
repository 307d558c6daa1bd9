// Signs in in a new window. The sign-in ends on a page of the application, which sends the token to the other tabs and closes.
import { readTab, writeTab } from './environment.ts';
import type { Session } from './session.ts';

/**
 * `other-person`: a different person signed in. `failed`: `session().signInError` says why. `blocked`: the browser opened no
 * window. `closed`: the window seems to be closed; a sign-in that is completed there later still counts.
 */
export type PopupResult = 'signed-in' | 'other-person' | 'failed' | 'blocked' | 'closed';

/** The parts of a browser that are used here. */
declare const window: { open(url: string, name: string, features: string): { closed: boolean } | null; close(): void };
declare const document: { hasFocus(): boolean };

/**
 * Marks the new window, which begins with a copy of this window's sessionStorage. Its name and its opener cannot mark
 * it, because Cross-Origin-Opener-Policy removes both when the window goes to the provider and back.
 */
const mark = 'frontdesk.popup';

/** The service's time limit for a sign-in. */
export const longestSeconds = 600;

export const isPopup = () => readTab(mark) !== null;
export const closePopup = () => window.close();

export async function openPopup(address: string, session: Session): Promise<PopupResult> {
  const { signIns, signInError } = session.state();
  writeTab(mark, 'true');
  const opened = window.open(address, '_blank', 'popup,width=520,height=720');
  writeTab(mark);
  if (opened === null) return 'blocked';
  let wasClosed = false;
  for (let seconds = 0; seconds < longestSeconds; seconds++) {
    await session.nextChange(AbortSignal.timeout(1000));
    const now = session.state();
    if (now.signIns > signIns) return now.reason === 'other-person' ? now.reason : 'signed-in';
    if (now.signInError !== signInError && now.signInError !== undefined) return 'failed';
    // With Cross-Origin-Opener-Policy, `closed` is true even for an open window. But while the window is in use, this
    // page does not have the focus.
    const isClosed = opened.closed && document.hasFocus();
    if (isClosed && wasClosed) break;
    wasClosed = isClosed;
  }
  return 'closed';
}
