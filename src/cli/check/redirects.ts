// Checks whether the redirect addresses are registered at the provider. An address is registered if the provider accepts
// a pushed request with it (RFC 9126), or if the sign-in page redirects back to it at once (prompt=none), because a
// provider does not redirect to an unregistered address (RFC 6749 section 4.1.2.1).
import { fetchBounded } from '../../auth/provider/fetch.ts';
import type { IdentityProvider } from '../../auth/provider/identity-provider.ts';
import { oauthCode, RefusedByProvider } from '../../auth/provider/refusal.ts';
import type { Config } from '../../config/config.ts';
import { Problem } from '../../http/problem.ts';
import { randomText } from '../../storage/secret.ts';
import { type Finding, findingsAbout } from './finding.ts';

interface RedirectCheck {
  config: Pick<Config, 'redirectUris' | 'scopes' | 'publicUrl'>;
  /** The result of the client check. If the client is refused, so is every address. */
  client: Finding['level'];
  /** Sends the parameters of a sign-in in the URL. Undefined if they must be pushed. */
  plain: IdentityProvider | undefined;
  /** Pushes the parameters of a sign-in. Undefined if the provider does not offer this. */
  pushing: IdentityProvider | undefined;
}

type Answer = { accepted: string } | { refused: string } | { error: string } | { untold: string };
/**
 * `unclear`: the provider refused a pushed request with invalid_request, which can be about the redirect address, the
 * scope or the client.
 */
type PushAnswer = Answer | { unclear: string };

const maxAddresses = 10;

export async function checkRedirects(check: RedirectCheck): Promise<Finding[]> {
  const uris = check.config.redirectUris.slice(0, maxAddresses);
  const answers = await Promise.all(uris.map(async (uri) => ({ uri, answer: await probe(uri, check) })));
  // The requests differ only in the address, so if one is accepted, the scopes and the client are right.
  const isAnyAccepted = answers.some(({ answer }) => 'accepted' in answer);
  const findings = answers.map(({ uri, answer }) => judge(uri, clarify(answer, isAnyAccepted), check));
  const rest = check.config.redirectUris.slice(maxAddresses);
  if (rest.length > 0) findings.push(finding('warns', `${rest.length} more were not checked: register each of them`));
  return findings;
}

function clarify(answer: PushAnswer, isAnyAccepted: boolean): Answer {
  if (!('unclear' in answer)) return answer;
  return { refused: isAnyAccepted ? answer.unclear : `${answer.unclear}; OIDC_SCOPES may also be the reason` };
}

const finding = findingsAbout('redirect address');

function judge(uri: string, answer: Answer, { config: { publicUrl }, client }: RedirectCheck): Finding {
  if ('accepted' in answer) return finding('ok', `${uri} is registered at the provider${answer.accepted}`);
  if ('untold' in answer) {
    return finding(
      'warns',
      `${uri}: could not be checked (${answer.untold}). Register exactly this address at the provider`,
    );
  }
  if ('error' in answer) {
    const advice = answer.error === 'invalid_scope' ? 'set OIDC_SCOPES, or allow these scopes there' : clientAdvice;
    return finding('FAILS', `${uri} is registered, but sign-ins are refused (${oauthCode(answer.error)}): ${advice}`);
  }
  if (client === 'FAILS') return finding('warns', `${uri}: could not be checked, since the client is refused`);
  // Only a warning, because this address is needed only for the console and the API docs.
  const isConsole = uri === `${publicUrl}/`;
  const use = isConsole ? ', which the console and the API docs use' : '';
  const text = `${uri}${use}: the provider refuses it (${answer.refused}). Register it there, character by character`;
  return finding(isConsole ? 'warns' : 'FAILS', text);
}

const clientAdvice = 'allow the authorization code flow for this client at the provider';

async function probe(uri: string, { config: { scopes }, plain, pushing }: RedirectCheck): Promise<PushAnswer> {
  const parameters = {
    redirect_uri: uri,
    scope: scopes,
    state: randomText(),
    nonce: randomText(),
    code_challenge: Bun.SHA256.hash(randomText(), 'base64url'),
    code_challenge_method: 'S256',
  };
  try {
    const pushed = pushing && (await push(pushing, parameters));
    // If sign-ins can do without pushing, a refusal of the push itself proves nothing, so the sign-in page is tried too.
    if (pushed !== undefined && (plain === undefined || !('untold' in pushed || 'unclear' in pushed))) return pushed;
    return plain === undefined
      ? { untold: 'there is no endpoint for pushed requests' }
      : await visit(plain, parameters);
  } catch (error) {
    if (error instanceof Problem) return { untold: error.reason ?? error.code };
    throw error;
  }
}

async function push(provider: IdentityProvider, parameters: Record<string, string>): Promise<PushAnswer> {
  try {
    await provider.authorizationUrl(parameters);
    return { accepted: ', which accepted a pushed request of this client' };
  } catch (error) {
    if (!(error instanceof RefusedByProvider)) throw error;
    if (error.error === 'invalid_redirect_uri') return { refused: error.error };
    if (error.error === 'invalid_scope') return { error: error.error };
    if (error.error === 'invalid_request') return { unclear: error.error };
    return { untold: `a pushed request is refused: ${oauthCode(error.error)}` };
  }
}

/** Answers to prompt=none that only mean that nobody is signed in: OpenID Connect Core section 3.1.2.6. */
const needsPerson = /^(login|interaction|consent|account_selection)_required$/;
const aboutClient = ['invalid_scope', 'unauthorized_client', 'unsupported_response_type'];

async function visit(provider: IdentityProvider, parameters: Record<string, string>): Promise<Answer> {
  const url = await provider.authorizationUrl({ ...parameters, prompt: 'none' });
  const { status, headers } = await fetchBounded(url.href, { headers: { Accept: 'text/html' } });
  if (status === 400) return { refused: 'its sign-in page answers 400' };
  const location = headers.get('location');
  const target = location !== null && URL.canParse(location, url.href) ? new URL(location, url.href) : undefined;
  if (status < 300 || status >= 400 || target === undefined) return { untold: `the sign-in page answers ${status}` };
  if (!isAddress(target, parameters.redirect_uri ?? '')) return { untold: 'the sign-in page sends browsers elsewhere' };
  const error = target.searchParams.get('error') ?? '';
  if (aboutClient.includes(error)) return { error };
  return needsPerson.test(error)
    ? { accepted: '' }
    : { untold: `the sign-in page sends browsers back with ${oauthCode(error)}` };
}

/** Whether the target is this address, apart from added parameters. */
function isAddress(target: URL, uri: string): boolean {
  const wanted = new URL(uri);
  return (['protocol', 'host', 'pathname'] as const).every((each) => target[each] === wanted[each]);
}
