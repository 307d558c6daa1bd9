// Pushed authorization requests (RFC 9126): the parameters of a sign-in go to the provider directly, and the browser
// carries only a reference to them.
import { Problem } from '../../http/problem.ts';
import { isObject } from '../../telemetry/guards.ts';
import { nameRefusal, type RefusalMeanings } from './refusal.ts';

/** It becomes part of an address that browsers and proxies have to take. */
const longestReference = 2000;

/** The provider's answer, or its refusal by name: openid-client ignores the body of one with a WWW-Authenticate header. */
export async function fetchReference(asked: Promise<Response>, meanings: RefusalMeanings): Promise<Response> {
  const response = await asked;
  const body: unknown = await response.json().catch(() => undefined);
  const { error, request_uri: reference } = isObject(body) ? body : {};
  if (response.status !== 201) throw nameRefusal(response.status, error, meanings);
  if (typeof reference !== 'string' || reference === '' || reference.length > longestReference) {
    throw new Problem('idp-bad-response', { reason: 'the answer to the pushed request has no usable request_uri' });
  }
  return Response.json(body, { status: 201 });
}
