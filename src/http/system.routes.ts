// Health, the contract, the API page, and the pages that explain problems.

import swaggerCssFile from 'swagger-ui-dist/swagger-ui.css' with { type: 'file' };
import bundleFile from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'file' };
import { z } from 'zod';
import { anyone } from './access.ts';
import { DocumentHeaders } from './document.ts';
import { asset, page, pageHeaders, serveText } from './files.ts';
import { noStore } from './headers.ts';
import docsScript from './pages/docs.client.js' with { type: 'text' };
import frontdeskCss from './pages/frontdesk.css' with { type: 'text' };
import icon from './pages/icon.svg' with { type: 'text' };
import { docsPage, problemPage } from './pages/pages.ts';
import { type ProblemCode, problemTable } from './problem-table.ts';
import { optionalHeader, type Route, route } from './route.ts';

interface SystemRoutesOptions {
  publicUrl: string;
  /** The OpenAPI document as text. */
  describe: () => string;
  /** Rejects if the service is not ready. */
  checkReady: () => Promise<void>;
}

const Status = z.strictObject({ status: z.enum(['up', 'down', 'starting']) }).meta({ id: 'Health' });

export const healthAnswer = (status: number, body: z.infer<typeof Status>) =>
  Response.json(body, { status, headers: noStore });

const problemCodes = Object.keys(problemTable) as ProblemCode[];

const html = pageHeaders();
// Swagger UI's style sheet embeds its icons as data URLs.
const docsHtml = pageHeaders(['data:']);

export function systemRoutes({ publicUrl, describe, checkReady }: SystemRoutesOptions): Route[] {
  const signInUrl = `${publicUrl}/auth/login?redirect_uri=${encodeURIComponent(`${publicUrl}/`)}`;
  return [
    route({
      method: 'GET',
      path: '/openapi.json',
      operationId: 'getOpenApiDocument',
      access: anyone,
      tag: 'Service',
      summary: 'This contract',
      description: 'For client generators and for the API docs.',
      answers: {
        200: { description: 'OpenAPI 3.1', content: { 'application/json': z.looseObject({}) } },
        304: { description: 'Not modified' },
      },
      headers: DocumentHeaders.extend({ 'If-None-Match': optionalHeader('The ETag of the document you have') }),
      problems: [],
      handle: serveText(describe, { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache' }),
    }),
    health('/health/live', 'checkLive', 'Whether the process runs', async () => {}),
    health('/health/ready', 'checkReady', 'Whether the service can do its work', checkReady),
    route({
      method: 'GET',
      path: '/problems/{code}',
      operationId: 'getProblemPage',
      access: anyone,
      tag: 'Service',
      summary: 'A page that explains a problem',
      description: 'The page that the `type` of a problem document links to: what happened, and what to do.',
      params: z.object({ code: z.enum(problemCodes) }),
      answers: { 200: { description: 'The page', content: { 'text/html': z.string() } } },
      problems: ['not-found'],
      handle: ({ params }) => new Response(problemPage(params.code), { headers: html }),
    }),
    page('/docs', () => docsPage(signInUrl), docsHtml),
    page('/docs/frontdesk.css', () => frontdeskCss, asset('text/css; charset=utf-8')),
    page('/docs/icon.svg', () => icon, asset('image/svg+xml')),
    page('/docs/docs.js', () => docsScript, asset('text/javascript; charset=utf-8')),
    page('/docs/swagger-ui.css', () => Bun.file(swaggerCssFile).text(), asset('text/css; charset=utf-8')),
    page('/docs/swagger-ui-bundle.js', () => Bun.file(bundleFile).text(), asset('text/javascript; charset=utf-8')),
  ];
}

function health(path: string, operationId: string, summary: string, check: () => Promise<void>): Route {
  return route({
    method: 'GET',
    path,
    operationId,
    access: anyone,
    tag: 'Service',
    summary,
    description: 'For restarts and load balancing. Answers only up, down or starting.',
    answers: {
      200: { description: 'It is up', content: { 'application/json': Status } },
      503: { description: 'The service is down or starting', content: { 'application/json': Status } },
    },
    problems: [],
    handle: () =>
      check().then(
        () => healthAnswer(200, { status: 'up' }),
        () => healthAnswer(503, { status: 'down' }),
      ),
  });
}
