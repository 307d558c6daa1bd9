// Whether the provider accepts our client credentials: it is asked to redeem a made-up code.
import type { IdentityProvider } from '../../auth/provider/identity-provider.ts';
import { RefusedByProvider } from '../../auth/provider/refusal.ts';
import type { ProviderSettings } from '../../config/config.ts';
import { Problem } from '../../http/problem.ts';
import { randomText } from '../../storage/secret.ts';
import type { Finding } from './finding.ts';

const part = 'client';
const signInOnce = 'sign in once, by frontdesk check --sign-in';

interface ClientCheck {
  settings: ProviderSettings;
  redirectUri: string;
  /** Connects to the provider with these settings. */
  connect: (settings: ProviderSettings) => Promise<IdentityProvider>;
}

export async function checkClient({ settings, redirectUri, connect }: ClientCheck): Promise<Finding[]> {
  const refusal = await redeemMadeUpCode(await connect(settings), redirectUri);
  if (refusal?.code === 'idp-configuration') return [{ level: 'FAILS', part, text: refusal.reason ?? refusal.code }];
  if (!(refusal instanceof RefusedByProvider) || refusal.error !== 'invalid_grant') {
    const what = refusal === undefined ? 'it answered a made-up code with tokens' : (refusal.reason ?? refusal.code);
    return [{ level: 'warns', part, text: `could not be checked (${what}): ${signInOnce}` }];
  }
  if (settings.clientAuth === 'none') return [{ level: 'ok', part, text: 'the provider knows OIDC_CLIENT_ID' }];
  return [await compareWithWrongSecret({ settings, redirectUri, connect })];
}

/** RFC 6749 section 5.2 does not say what is checked first: some providers refuse a code before they check the client. */
async function compareWithWrongSecret({ settings, redirectUri, connect }: ClientCheck): Promise<Finding> {
  const clientAuth = settings.clientAuth === 'basic' ? 'basic' : 'post';
  const wrong = { ...settings, clientAuth, clientSecret: randomText(), assertion: undefined } as const;
  const refusal = await redeemMadeUpCode(await connect(wrong), redirectUri);
  if (refusal?.code === 'idp-configuration') {
    return {
      level: 'ok',
      part,
      text: 'the provider takes OIDC_CLIENT_ID as we authenticate, and refuses a wrong secret',
    };
  }
  const text = `could not be checked (a made-up code is refused in the same way with a wrong secret): ${signInOnce}`;
  return { level: 'warns', part, text };
}

/** Undefined if the code is not refused. Throws any other failure. */
async function redeemMadeUpCode(provider: IdentityProvider, redirectUri: string): Promise<Problem | undefined> {
  try {
    await provider.redeem({ code: randomText(), redirect_uri: redirectUri, code_verifier: randomText() });
    return undefined;
  } catch (error) {
    if (error instanceof Problem && ['idp-configuration', 'code-rejected', 'idp-bad-response'].includes(error.code)) {
      return error;
    }
    throw error;
  }
}
