// A folder like that of an application: npm has installed the client from a running Frontdesk, and nothing comes from this
// repository.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './frontdesk.ts';
import { root } from './process.ts';

interface Finished {
  exitCode: number;
  stdout: string;
  stderr: string;
}

export interface Application {
  folder: string;
  write(file: string, text: string): void;
  run(command: readonly string[], env?: Record<string, string>): Promise<Finished>;
  /** Compiles these files with these options, and returns what the compiler prints. */
  compile(files: readonly string[], options?: object): Promise<Finished>;
}

/** Installs the client with npm, with an empty cache and a registry that refuses every request. */
export async function installClient(url: string): Promise<Application> {
  const folder = makeFolder();
  const application: Application = {
    folder,
    write: (file, text) => writeFileSync(join(folder, file), text),
    async run(command, env = {}) {
      const { PATH = '' } = process.env;
      const child = Bun.spawn([...command], {
        cwd: folder,
        // Otherwise, npm checks for a newer version of itself, and mentions it in its output.
        env: { PATH, HOME: folder, npm_config_update_notifier: 'false', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const output = [child.stdout, child.stderr].map((stream) => new Response(stream).text());
      const [stdout = '', stderr = ''] = await Promise.all(output);
      return { exitCode: await child.exited, stdout, stderr };
    },
    compile(files, options = {}) {
      const compilerOptions = { ...strictest, ...options };
      application.write('tsconfig.json', JSON.stringify({ compilerOptions, files }));
      return application.run([join(root, 'node_modules/.bin/tsc'), '-p', folder]);
    },
  };
  application.write('package.json', JSON.stringify({ private: true, type: 'module' }));
  const asked: string[] = [];
  const registry = Bun.serve({
    port: 0,
    hostname: 'localhost',
    fetch(request) {
      asked.push(request.url);
      return new Response('', { status: 404 });
    },
  });
  const options = ['--no-audit', `--registry=http://localhost:${registry.port}`];
  const installed = await application.run(['npm', 'install', ...options, `${url}/client/frontdesk-client.tgz`]);
  await registry.stop(true);
  if (installed.exitCode !== 0 || asked.length > 0) throw new Error(`${installed.stderr} asked for: ${asked}`);
  // Links the types of the platform. The client itself comes from the installed package only.
  mkdirSync(join(folder, 'node_modules/@types'));
  for (const name of ['@types/node', 'undici-types', '@types/react', 'csstype'])
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  return application;
}

/** The strictest options for a Node program. Imported declarations are checked, too. */
const strictest = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  module: 'NodeNext',
  target: 'ES2022',
  lib: ['ES2023'],
  types: ['node'],
};
