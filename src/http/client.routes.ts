// The package that applications install to use this service: npm accepts an address in place of a name.
import { z } from 'zod';
import { anyone } from './access.ts';
import { DocumentHeaders, prepareOnce } from './document.ts';
import { asset, builtModule, serveAtFirstRequest } from './files.ts';
import { Problem } from './problem.ts';
import { optionalHeader, type Route, route } from './route.ts';

const loadTarball = builtModule(
  new URL('../../client/tarball.ts', import.meta.url),
  () => import('../../client/tarball.ts'),
);

export function clientRoutes(publicUrl: string): Route[] {
  const path = '/client/frontdesk-client.tgz';
  return [
    route({
      method: 'GET',
      path,
      operationId: 'getClientPackage',
      access: anyone,
      tag: 'Service',
      summary: 'The client as an npm package',
      description: `\`npm install ${publicUrl}${path}\`: for browsers, Node and Bun, in the version of this service.`,
      headers: DocumentHeaders.extend({ 'If-None-Match': optionalHeader('The ETag of the package you have') }),
      answers: {
        200: { description: 'The package', content: { 'application/gzip': z.string().meta({ format: 'binary' }) } },
        304: { description: 'Not modified' },
      },
      problems: ['not-found'],
      handle: serveAtFirstRequest(async () => {
        const { clientTarball } = await loadTarball();
        if (clientTarball === '') throw new Problem('not-found');
        return prepareOnce(Uint8Array.from(Buffer.from(clientTarball, 'base64')), asset('application/gzip'));
      }),
    }),
  ];
}
