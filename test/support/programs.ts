// Programs that the tests need and npm does not install. Missing programs are installed in one step before the first test, if
// possible. Otherwise, the tests that need them are counted as not run.

/** For each program, where it may be, and the Debian package that contains it. */
const programs = {
  bash: { paths: ['bash'], from: 'bash' },
  // The headless shell is preferred: it is the same browser without windows, and needs half as much processor time.
  chromium: {
    paths: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
    from: 'chromium-headless-shell',
  },
  curl: { paths: ['curl'], from: 'curl' },
  git: { paths: ['git'], from: 'git' },
  haproxy: { paths: ['haproxy', '/usr/sbin/haproxy'], from: 'haproxy' },
  jq: { paths: ['jq'], from: 'jq' },
  mktemp: { paths: ['mktemp'], from: 'coreutils' },
  nginx: { paths: ['nginx', '/usr/sbin/nginx'], from: 'nginx-light' },
  pgbouncer: { paths: ['pgbouncer', '/usr/sbin/pgbouncer'], from: 'pgbouncer' },
  // Tests also use pg_dump. The server from npm comes without it, and Debian's pg_dump refuses servers newer than itself.
  postgres: {
    paths: [19, 18, 17, 16, 15, 14].map((version) => `/usr/lib/postgresql/${version}/bin/postgres`),
    from: 'postgresql',
  },
  prlimit: { paths: ['prlimit'], from: 'util-linux' },
  prometheus: { paths: ['prometheus'], from: 'prometheus' },
  promtool: { paths: ['promtool'], from: 'prometheus' },
  ps: { paths: ['ps'], from: 'procps' },
  setpriv: { paths: ['setpriv'], from: 'util-linux' },
  'systemd-analyze': { paths: ['systemd-analyze'], from: 'systemd' },
  tar: { paths: ['tar'], from: 'tar' },
} satisfies Record<string, { paths: readonly string[]; from: string }>;

type Program = keyof typeof programs;
const names = Object.keys(programs) as Program[];

export function programPath(name: Program): string {
  const path = findProgram(name);
  if (path === undefined) throw new MissingProgram(name, programs[name].from);
  return path;
}

class MissingProgram extends Error {
  constructor(name: string, from: string) {
    super(`${name} is missing; apt-get install ${from}`);
  }
}

/** Returns a message about the missing program, if that is why a test failed. */
export function missingProgram(details: string): string | undefined {
  const [own] = /^.* is missing; apt-get install \S+/m.exec(details) ?? [];
  if (own !== undefined) return own.replace(/^\w*error: /i, '');
  const [, name] = /Executable not found in \$PATH: "([^"]+)"/.exec(details) ?? [];
  return name === undefined ? undefined : `${name} is missing`;
}

function findProgram(name: Program): string | undefined {
  if (name === 'chromium' && process.env.CHROMIUM_PATH !== undefined) return process.env.CHROMIUM_PATH;
  return programs[name].paths.map((path) => Bun.which(path)).find((path) => path !== null) ?? undefined;
}

/** Installs missing programs. Prints what it installs, and what it cannot install. */
export function installPrograms(): void {
  const missing = names.filter((name) => findProgram(name) === undefined);
  const packages = [...new Set(missing.map((name) => programs[name].from))];
  // The headless shell is installed even if there is another browser, because it needs only half as much processor time.
  if (Bun.which('chromium-headless-shell') === null) packages.push(programs.chromium.from);
  if (packages.length === 0) return;
  if (process.getuid?.() !== 0 || Bun.which('apt-get') === null) {
    if (missing.length > 0) process.stdout.write(`Without ${missing.join(', ')}: only root can install them here.\n`);
    return;
  }
  const list = [...new Set(packages)].join(' ');
  process.stdout.write(`The tests need ${list}: installing with apt-get.\n`);
  for (const command of ['apt-get update', `apt-get install -y --no-install-recommends ${list}`]) {
    // Some packages would start a service, which this run level prevents.
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
    const { exitCode, stderr } = Bun.spawnSync(['sh', '-c', command], { env });
    if (exitCode !== 0) process.stdout.write(`"${command}" failed: ${stderr}\n`);
  }
}
