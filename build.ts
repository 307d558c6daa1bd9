// npm run build             the one-file executable, dist/frontdesk
// npm run build -- client   client/dist: what the client's package contains
// npm run build -- package  the client's package, dist/frontdesk-client-VERSION.tgz, to attach to a release
import { findCommit } from './src/base/executable.ts';

/**
 * The arguments with which Bun builds the executable. A container image is built without .git, so a build argument
 * names the commit.
 */
export function executableArgs(outfile: string, commit = process.env.FRONTDESK_COMMIT || findCommit()): string[] {
  return [
    ...['build', '--compile', '--bytecode', '--format=esm', '--splitting', '--external', 'pg-native'],
    ...['--no-compile-autoload-dotenv', '--no-compile-autoload-bunfig', '--outfile', outfile],
    ...['--define', `FRONTDESK_COMMIT=${JSON.stringify(commit)}`],
    ...['src/main.ts', 'src/lookup/documents/document-worker.ts', 'src/audit/removal-worker.ts'],
    'src/storage/migration-worker.ts',
  ];
}

if (import.meta.main) {
  const products = new Map([
    ['executable', () => executableArgs('dist/frontdesk')],
    ['client', () => ['--no-env-file', 'client/build.ts']],
    ['package', () => ['--no-env-file', 'client/pack.ts']],
  ]);
  const args = products.get(process.argv[2] ?? 'executable');
  if (args === undefined) throw new Error('npm run build, npm run build -- client or npm run build -- package');
  const { exitCode } = Bun.spawnSync([process.execPath, ...args()], { stdio: ['ignore', 'inherit', 'inherit'] });
  process.exit(exitCode);
}
