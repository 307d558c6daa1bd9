// Signing in at the development provider: the developer picks a person, without a password.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { interactionPolicy, Provider } from 'oidc-provider';
import type { DevelopmentPerson } from '../config/development-people.ts';
import { failedPage, pagePolicy, pickingPage, welcomePage } from './pages.ts';
import { portrait } from './people.ts';

/** Every sign-in asks which person to sign in as, because developers test with several. */
export function alwaysAsk({ base, Check, Prompt }: typeof interactionPolicy): interactionPolicy.DefaultPolicy {
  const policy = base();
  policy.add(new Prompt({ name: 'select_account', requestable: true }), 0);
  const isPicked = new Check('pick', 'a person has to be picked', ({ oidc }) => oidc.result?.login === undefined);
  policy.get('login')?.checks.add(isPicked);
  return policy;
}

/** Handles the page on which a person is picked, and passes most other requests on to oidc-provider. */
export function handleRequests(provider: Provider, people: readonly DevelopmentPerson[]): RequestListener {
  const handleByProvider = provider.callback();

  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { params } = await provider.interactionDetails(request, response);
    // These prompts ask for the page, so login_hint must not skip it.
    const mayHint = !/\b(login|select_account)\b/.test(String(params.prompt));
    const hinted = mayHint ? params.login_hint : undefined;
    const offered = typeof params.acr_values === 'string' ? params.acr_values.split(' ') : [];
    // If the page is skipped, the first requested class is granted.
    const picked = request.method === 'POST' ? await readPicked(request) : { person: hinted, acr: offered[0] };
    const person = people.find(({ claims }) => claims.sub === picked.person);
    if (person !== undefined) {
      const acr = offered.find((each) => each === picked.acr);
      const result = { login: { accountId: person.claims.sub, ...(acr !== undefined && { acr }) }, select_account: {} };
      return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
    }
    respond(response, 200, pickingPage(people, offered, request.url ?? ''));
  }

  return (request, response) => {
    if (request.url === '/') {
      respond(response, 200, welcomePage());
    } else if (request.url === '/people/E-1003.svg') {
      response.setHeader('Content-Type', 'image/svg+xml');
      response.end(portrait);
    } else if (request.url?.startsWith('/interaction/')) {
      interact(request, response).catch(() =>
        respond(response, 400, failedPage('This sign-in has expired or was already finished.')),
      );
    } else {
      void handleByProvider(request, response);
    }
  };
}

function respond(response: ServerResponse, status: number, page: string): void {
  response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': pagePolicy });
  response.end(page);
}

async function readPicked(request: IncomingMessage): Promise<{ person: string | null; acr: string | null }> {
  const form = new URLSearchParams(await text(request));
  return { person: form.get('person'), acr: form.get('acr') };
}
