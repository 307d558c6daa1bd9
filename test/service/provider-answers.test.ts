// Answers of the provider that are unusual but not wrong.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { type Frontdesk, startFrontdesk } from '../support/frontdesk.ts';
import { type HostileProvider, startHostileProvider } from '../support/hostile-provider.ts';
import { expectProblem } from '../support/problem.ts';

let provider: HostileProvider;
let desk: Frontdesk;
let codes = 0;
beforeAll(async () => {
  provider = await startHostileProvider();
  desk = await startFrontdesk(provider.env);
});
afterAll(async () => {
  await desk?.stop();
  provider?.stop();
});
afterEach(() => {
  provider.lie = {};
});

const exchange = () => desk.get(`/auth/login/callback?code=answered-${++codes}`);
const packed = (body: Uint8Array<ArrayBuffer>, encoding: string) =>
  new Response(body, { headers: { 'content-type': 'application/json', 'content-encoding': encoding } });

describe('a gateway that compresses the tokens, whether or not that was requested', () => {
  test.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['GZIP', gzipSync],
  ] as const)('%s is unpacked', async (encoding, pack) => {
    provider.lie = {
      token: async () => packed(new Uint8Array(pack(await (await provider.tokens()).arrayBuffer())), encoding),
    };
    expect((await exchange()).status).toBe(200);
  });

  test('an answer that unpacks to more than 1 MiB is refused', async () => {
    const bomb = new Uint8Array(gzipSync(Buffer.alloc(64 * 1024 * 1024)));
    expect(bomb.length).toBeLessThan(100_000);
    provider.lie = { token: () => packed(bomb, 'gzip') };
    await expectProblem(await exchange(), 'idp-bad-response', 502);
  });

  test.each([
    ['is cut off', (whole: Uint8Array) => whole.slice(0, -9)],
    ['is not compressed', () => new TextEncoder().encode('{"access_token":"x"}')],
  ])('a compressed answer that %s is refused', async (_, change) => {
    const whole = new Uint8Array(gzipSync(await (await provider.tokens()).arrayBuffer()));
    provider.lie = { token: () => packed(new Uint8Array(change(whole)), 'gzip') };
    await expectProblem(await exchange(), 'idp-bad-response', 502);
  });
});

describe('how the provider explains a refusal', () => {
  const loggedOf = (response: Response) => {
    const requestId = response.headers.get('x-request-id') ?? '';
    return desk.logged.find((line) => line.includes(requestId) && line.includes('"refused"')) ?? '';
  };

  test('is logged, bounded and without control characters, and nobody else reads it', async () => {
    const error_description = `AADSTS54005:\u001b[31m redeemed\r\nalready ${'x'.repeat(5000)}`;
    provider.lie = { token: () => Response.json({ error: 'invalid_grant', error_description }, { status: 400 }) };
    const response = await exchange();
    expect(await response.clone().text()).not.toContain('AADSTS');
    await expectProblem(response, 'code-rejected', 400);
    const { providerText } = JSON.parse(loggedOf(response)) as { providerText: string };
    expect(providerText).toStartWith('AADSTS54005: [31m redeemed already xxx');
    expect(providerText).toHaveLength(300);
    const audited = await desk.database.query<{ detail: string }>('select detail from audit order by seq desc limit 1');
    expect(audited[0]?.detail).toBe('code-rejected: the provider refused: invalid_grant');
  });

  test("is also logged if it comes with the person's redirect", async () => {
    const response = await desk.get(
      '/auth/login/callback?error=access_denied&error_description=AADSTS65004%0a:%20declined',
    );
    expect(await response.clone().text()).not.toContain('AADSTS');
    await expectProblem(response, 'login-denied', 403);
    expect(JSON.parse(loggedOf(response))).toMatchObject({ providerText: 'AADSTS65004 : declined' });
  });

  test.each([undefined, 7, '', '\u0000'])('%p is not logged', async (error_description) => {
    provider.lie = { token: () => Response.json({ error: 'invalid_grant', error_description }, { status: 400 }) };
    const response = await exchange();
    await expectProblem(response, 'code-rejected', 400);
    expect(loggedOf(response)).not.toContain('providerText');
  });

  test.each(['use_dpop_nonce', 'invalid_dpop_proof'])('the log says after %s that DPoP is demanded', async (error) => {
    provider.lie = { token: () => Response.json({ error }, { status: 400 }) };
    const response = await exchange();
    await expectProblem(response, 'idp-configuration', 502);
    expect(loggedOf(response)).toContain(
      'the provider demands DPoP proofs (RFC 9449) from this client: set OIDC_DPOP=true',
    );
  });
});
