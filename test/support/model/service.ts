// The service that is compared with the model. Four programs with different roles call it, and its clock is moved by days.
// Programs are used instead of people, because a program only has to sign an assertion to get a token, whatever the day is.
import { addOwnKeyCaller, makeSigner, ownClaims, requestToken, tokenFrom } from '../callers.ts';
import { bearer, startFrontdesk } from '../frontdesk.ts';
import { type Person, people } from './people.ts';

export type ModelledService = Awaited<ReturnType<typeof startModelledService>>;

const daySeconds = 86_400;
/** Tokens are renewed long before they expire. */
const renewAfterMs = 300_000;

/** People with one of `readRoles` may read lists that name no readers. If `readRoles` is empty, everybody may. */
export async function startModelledService(readRoles: readonly string[]) {
  let desk = await startFrontdesk({
    RATE_LIMIT_API: '0',
    ...(readRoles.length > 0 && { LOOKUP_READ_ROLES: readRoles.join() }),
  });
  const signer = await makeSigner('model');
  // A program can only have roles that a setting or a list names, and there is no list yet.
  const commandEnv = { ...desk.commandEnv, LOOKUP_READ_ROLES: Object.values(people).join() };
  for (const [name, role] of Object.entries(people)) {
    await addOwnKeyCaller({ ...desk, commandEnv }, name, signer, role);
  }
  let lead = 0;
  const now = () => Date.now() + lead * 1000;
  const tokens = new Map<Person, { token: string; renewAt: number }>();

  async function tokenOf(name: Person): Promise<string> {
    const known = tokens.get(name);
    if (known !== undefined && now() < known.renewAt) return known.token;
    const seconds = Math.floor(now() / 1000);
    const claims = ownClaims(name, desk.config.publicUrl, { iat: seconds, exp: seconds + 300 });
    const token = await tokenFrom(await requestToken(desk, await signer.sign(claims)));
    tokens.set(name, { token, renewAt: now() + renewAfterMs });
    return token;
  }

  async function advance(seconds: number): Promise<void> {
    desk.advance(seconds);
    lead += seconds;
    await desk.runHousekeeping();
  }
  // Moves the clock to noon, so that the day does not change during the test.
  await advance(daySeconds * 1.5 - ((now() / 1000) % daySeconds));

  /** Sends a request as this person. */
  async function send(by: Person, path: string, init: { method?: string; headers?: object; body?: string } = {}) {
    const headers = { ...bearer(await tokenOf(by)), ...init.headers };
    return fetch(desk.url + path, { ...init, headers });
  }
  // People who keep no list, or read none, cannot learn which lists exist. So there is always one list that the keeper
  // keeps, and one that everybody reads.
  const kept = { list: 'always-kept', title: 'Always kept', keepers: [people.keeper], archived: true };
  const read = { list: 'always-read', title: 'Always read', readers: Object.values(people) };
  for (const list of [kept, read]) {
    const headers = { 'content-type': 'application/json' };
    const created = await send('admin', '/admin/lookups', { method: 'POST', headers, body: JSON.stringify(list) });
    if (!created.ok) throw new Error(await created.text());
  }

  return {
    readRoles,
    today: () => new Date(now()).toISOString().slice(0, 10),
    nextDay: () => advance(daySeconds),
    /** Restarts with the same database and on the same day. */
    async restart() {
      desk = await desk.restart();
      desk.advance(lead);
      await desk.runHousekeeping();
    },
    send,
    stop: () => desk.stop(),
  };
}
