// The base images of the Dockerfile, built here if no image registry can be reached.
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './frontdesk.ts';
import { root } from './process.ts';

/** Runs a command. If it fails, throws an error with its output. */
export function run(...command: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, {
    cwd: root,
    // Without systemd's timers, which not every machine has, podman does not run the health check itself.
    env: { ...process.env, DISABLE_HC_SYSTEMD: 'true' },
  });
  if (exitCode !== 0) throw new Error(`${command.join(' ')}\nended with ${exitCode}:\n${stdout}${stderr}`);
  return stdout.toString();
}

const recipes: Record<string, (name: string, folder: string) => void> = {
  'debian:13-slim': (name, folder) => {
    run('debootstrap', '--variant=minbase', '--include=ca-certificates', 'trixie', folder);
    run('sh', '-c', 'tar -C "$1" -c . | podman import - "$2"', 'sh', folder, name);
  },
  'node:24-slim': (name, folder) => {
    provideImage('debian:13-slim');
    run('npm', 'install', '--global', '--prefix', folder, `node-linux-${process.arch}@24`, 'npm@11');
    const lines = ['FROM debian:13-slim', 'COPY bin /usr/local/bin', 'COPY lib /usr/local/lib'];
    // On a network with its own CA, npm ci in the container must trust that CA as well.
    const caFile = process.env.NODE_EXTRA_CA_CERTS;
    if (caFile !== undefined) {
      copyFileSync(caFile, join(folder, 'lib/extra-ca.pem'));
      lines.push('ENV NODE_EXTRA_CA_CERTS=/usr/local/lib/extra-ca.pem');
    }
    writeFileSync(join(folder, 'Containerfile'), lines.join('\n'));
    run('podman', '--runtime', 'runc', 'build', '--tag', name, folder);
  },
};

/** Uses a local image, otherwise pulls it, otherwise builds it with debootstrap and npm. */
export function provideImage(name: string): void {
  const succeeds = (...words: string[]) => Bun.spawnSync(['podman', ...words]).exitCode === 0;
  if (succeeds('image', 'exists', name)) return;
  const address = `docker.io/library/${name}`;
  if (succeeds('pull', '--quiet', address) && succeeds('tag', address, name)) return;
  const recipe = recipes[name];
  if (recipe === undefined) throw new Error(`${name} cannot be pulled, and there is no recipe for it.`);
  const folder = makeFolder();
  try {
    recipe(name, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
