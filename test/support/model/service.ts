// The service beside the model: four programs with roles of their own call it, and its clock is moved by days. Programs,
// since their tokens are had from a signature alone, on any day.
import { addOwnKeyCaller, makeSigner, ownClaims, requestToken, tokenFrom } from '../callers.ts';
import { bearer, startFrontdesk } from '../frontdesk.ts';

const people = { admin: 'LOOKUP_ADMIN', keeper: 'CITY_KEEPER', reader: 'CITY_READER', guest: 'GUEST' };
export type Person = keyof typeof people;

export type ModelledService = Awaited<ReturnType<typeof startModelledService>>;

const daySeconds = 86_400;
/** Well below the life of a token. */
const renewAfterMs = 300_000;

export async function startModelledService() {
  const desk = await startFrontdesk({ RATE_LIMIT_API: '0' });
  const signer = await makeSigner('model');
  // A program is only given roles that a setting names; those of single lists, none does.
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
  // To noon: the day does not change by itself while the test runs.
  await advance(daySeconds * 1.5 - ((now() / 1000) % daySeconds));

  return {
    today: () => new Date(now()).toISOString().slice(0, 10),
    nextDay: () => advance(daySeconds),
    /** As that person. */
    async send(by: Person, path: string, init: { method?: string; headers?: object; body?: string } = {}) {
      const headers = { ...bearer(await tokenOf(by)), ...init.headers };
      return fetch(desk.url + path, { ...init, headers });
    },
    stop: desk.stop,
  };
}
