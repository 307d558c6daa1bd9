// Checks which parts of the FAPI 2.0 Security Profile the provider announces, with one finding for each (OIDC_PROFILE=fapi2).
// Without the profile, checks only DPoP, if it is configured.
import { acceptedAlgs, readList } from '../../auth/provider/identity-provider.ts';
import { rsaAlgs } from '../../config/client-key.ts';
import type { ProviderSettings } from '../../config/config.ts';
import { allowedAlgs } from '../../config/variables.ts';
import type { Metadata } from './discovery.ts';
import type { Finding } from './finding.ts';

/** A member of the discovery document, and the values in it that we can use. */
type Offer = [what: string, member: string, wanted: readonly string[]];

const dpop: Offer = ['DPoP', 'dpop_signing_alg_values_supported', ['ES256']];

export function judgeProfile(metadata: Metadata, settings: ProviderSettings): Finding[] {
  if (settings.profile === undefined) return settings.usesDpop ? [judgeOffer(metadata, dpop, 'identity provider')] : [];
  const offers: Offer[] = [
    ['client authentication', 'token_endpoint_auth_methods_supported', ['private_key_jwt']],
    ['client assertions', 'token_endpoint_auth_signing_alg_values_supported', assertionAlgs(settings)],
    ['response type', 'response_types_supported', ['code']],
    ['PKCE', 'code_challenge_methods_supported', ['S256']],
    dpop,
    ['ID tokens', 'id_token_signing_alg_values_supported', acceptedAlgs(settings, undefined)],
  ];
  return [
    judgeIssuer(metadata, settings),
    judgePresence(metadata, 'pushed requests', 'pushed_authorization_request_endpoint', 'every sign-in uses it'),
    judgePresence(
      metadata,
      'issuer in answers',
      'authorization_response_iss_parameter_supported',
      'sign-ins are refused if the authorization response has no iss',
    ),
    ...offers.map((offer) => judgeOffer(metadata, offer, part)),
  ];
}

const part = 'FAPI 2.0';

/** The algorithms that our key supports and the profile allows. */
function assertionAlgs({ assertion, profile }: ProviderSettings): readonly string[] {
  const key = assertion !== undefined && 'key' in assertion ? assertion.key?.() : undefined;
  return allowedAlgs(profile).filter((alg) => (key?.algs ?? rsaAlgs).includes(alg));
}

function judgeIssuer({ issuer }: Metadata, settings: ProviderSettings): Finding {
  return issuer === settings.issuer
    ? { level: 'ok', part, text: 'issuer: the same as OIDC_ISSUER, character by character' }
    : { level: 'FAILS', part, text: `issuer: the provider announces ${issuer}: set OIDC_ISSUER to exactly this` };
}

function judgePresence(metadata: Metadata, what: string, member: string, why: string): Finding {
  const { [member]: announced = false } = metadata;
  if (announced === false || announced === null)
    return { level: 'FAILS', part, text: `${what}: not announced (${member}), and ${why}` };
  return { level: 'ok', part, text: `${what}: announced` };
}

/** A missing list is only a warning, because providers do not announce everything that they support. */
function judgeOffer(metadata: Metadata, [what, member, wanted]: Offer, part: Finding['part']): Finding {
  const announced = readList(metadata[member]);
  if (announced === undefined)
    return { level: 'warns', part, text: `${what}: not announced (${member}); needed: ${wanted.join(' or ')}` };
  const usable = wanted.filter((each) => announced.includes(each));
  if (usable.length > 0) return { level: 'ok', part, text: `${what}: ${usable.join(', ')}` };
  const found = announced.join(', ') || 'nothing';
  return { level: 'FAILS', part, text: `${what}: it announces ${found} (${member}); needed: ${wanted.join(' or ')}` };
}
