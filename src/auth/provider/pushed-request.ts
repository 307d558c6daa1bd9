// Pushed authorization requests (RFC 9126): the parameters of a sign-in go to the provider directly, and the browser
// carries only a reference to them.
import { Problem } from '../../http/problem.ts';
import { isObject } from '../../telemetry/guards.ts';
import { type RefusalMeanings, readUnlessRefused } from './refusal.ts';

/** It becomes part of an address that browsers and proxies have to take. */
const longestReference = 2000;

export async function fetchReference(asked: Promise<Response>, meanings: RefusalMeanings): Promise<Response> {
  const body = await readUnlessRefused(asked, 201, meanings);
  const reference = isObject(body) ? body.request_uri : undefined;
  if (typeof reference !== 'string' || reference === '' || reference.length > longestReference) {
    throw new Problem('idp-bad-response', { reason: 'the answer to the pushed request has no usable request_uri' });
  }
  return Response.json(body, { status: 201 });
}
