// Modules whose exports are made when they are loaded: the console's files, the client's package. The executable holds them.
import { isExecutable } from '../config/executable.ts';
import { makeOnce } from '../config/one-at-a-time.ts';

/**
 * The exports of such a module. In a clone they take seconds to make, so another process makes them and every other
 * request goes on. `load` names the module for the bundler.
 */
export function builtModule<M>(url: URL, load: () => Promise<M>): () => Promise<M> {
  return makeOnce(() => (isExecutable ? load() : loadElsewhere<M>(url)));
}

async function loadElsewhere<M>({ href }: URL): Promise<M> {
  const program = `process.stdout.write(JSON.stringify(await import(${JSON.stringify(href)})))`;
  const child = Bun.spawn([process.execPath, '--no-env-file', '-e', program], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr] = await Promise.all([child.stdout, child.stderr].map((each) => new Response(each).text()));
  if ((await child.exited) !== 0) throw new Error(stderr);
  return JSON.parse(stdout ?? '') as M;
}
