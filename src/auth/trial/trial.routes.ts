// The pages of a trial sign-in, for one person in their own browser. Errors are shown as pages too.
import { z } from 'zod';
import { anyone } from '../../http/access.ts';
import { pageHeaders } from '../../http/files.ts';
import { noStore } from '../../http/headers.ts';
import { Problem, problemHeaders } from '../../http/problem.ts';
import { type Route, route } from '../../http/route.ts';
import { CallbackQuery } from '../login/login.schema.ts';
import type { ProviderConnection } from '../provider/connection.ts';
import { CookieHeader } from '../sessions/session.schema.ts';
import type { Trials } from './trial.ts';
import { failurePage, introductionPage, resultPage } from './trial-page.ts';

interface TrialRoutesOptions {
  publicUrl: string;
  connection: Pick<ProviderConnection, 'ready'>;
  trials: Trials;
}

const TicketQuery = z.object({ ticket: z.string().min(1).max(100) });

const headers = { ...pageHeaders(), ...noStore };

export function trialRoutes({ publicUrl, connection, trials }: TrialRoutesOptions): Route[] {
  const shared = {
    method: 'GET',
    operationId: undefined,
    access: anyone,
    tag: 'Sign-in',
    answers: { 200: { description: 'The page' } },
    problems: [],
    limitedBy: 'login-address',
    openedBy: 'navigation',
  } as const;

  return [
    route({
      ...shared,
      path: '/auth/trial',
      summary: 'What a trial sign-in is',
      // Opening this page does not use up the ticket, because programs that preview or check links in messages open it too.
      query: TicketQuery,
      handle: ({ query: { ticket } }) =>
        asPage('../', async () => {
          await trials.expectUnopened(ticket);
          const { issuer } = await connection.ready();
          return introductionPage(issuer, `trial/start?${new URLSearchParams({ ticket })}`);
        }),
    }),
    route({
      ...shared,
      path: '/auth/trial/start',
      summary: 'Start a trial sign-in',
      actsOnGet: true,
      query: TicketQuery,
      headers: CookieHeader,
      handle: ({ query: { ticket }, headers: { Cookie } }) =>
        asPage('../../', async () => {
          const { location, cookies } = await trials.begin(ticket, Cookie);
          const answer = new Response(null, { status: 302, headers: { ...headers, Location: location } });
          for (const cookie of cookies) answer.headers.append('Set-Cookie', cookie);
          return answer;
        }),
    }),
    route({
      ...shared,
      path: '/auth/trial/finish',
      summary: 'The claims of the person who signed in',
      actsOnGet: true,
      query: CallbackQuery,
      headers: CookieHeader,
      handle: ({ query, headers: { Cookie } }) =>
        asPage('../../', async () => resultPage(await trials.finish(query, Cookie), publicUrl)),
    }),
  ];
}

async function asPage(root: string, make: () => Promise<string | Response>): Promise<Response> {
  try {
    const made = await make();
    return typeof made === 'string' ? new Response(made, { headers }) : made;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { 'Content-Type': _, ...others } = problemHeaders(error.code);
    return new Response(failurePage(error, root), { status: error.status, headers: { ...others, ...headers } });
  }
}
