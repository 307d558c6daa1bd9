// Programs the tests need beside npm's. Those that are missing are installed in one step, before the first test.

/** By name: where it may be, and the Debian package that brings it. */
const programs = {
  // The shell first: the same browser without windows, in half the processor time.
  chromium: {
    paths: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
    from: 'chromium-headless-shell',
  },
  curl: { paths: ['curl'], from: 'curl' },
  haproxy: { paths: ['haproxy', '/usr/sbin/haproxy'], from: 'haproxy' },
  nginx: { paths: ['nginx', '/usr/sbin/nginx'], from: 'nginx-light' },
  pgbouncer: { paths: ['pgbouncer', '/usr/sbin/pgbouncer'], from: 'pgbouncer' },
  prlimit: { paths: ['prlimit'], from: 'util-linux' },
  prometheus: { paths: ['prometheus'], from: 'prometheus' },
  promtool: { paths: ['promtool'], from: 'prometheus' },
  ps: { paths: ['ps'], from: 'procps' },
  setpriv: { paths: ['setpriv'], from: 'util-linux' },
} satisfies Record<string, { paths: readonly string[]; from: string }>;

type Program = keyof typeof programs;
const names = Object.keys(programs) as Program[];

export function programPath(name: Program): string {
  const path = findProgram(name);
  if (path === undefined) throw new Error(`${name} is not installed: npm test installs it on Debian, as root`);
  return path;
}

function findProgram(name: Program): string | undefined {
  if (name === 'chromium' && process.env.CHROMIUM_PATH !== undefined) return process.env.CHROMIUM_PATH;
  return programs[name].paths.map((path) => Bun.which(path)).find((path) => path !== null) ?? undefined;
}

/** Says what it installs. Throws where it cannot. */
export function installPrograms(): void {
  const missing = names.filter((name) => findProgram(name) === undefined);
  if (missing.length === 0) return;
  const packages = [...new Set(missing.map((name) => programs[name].from))].join(' ');
  process.stdout.write(`The tests need ${missing.join(', ')}: installing ${packages} with apt-get.\n`);
  for (const command of ['apt-get update', `apt-get install -y --no-install-recommends ${packages}`]) {
    // Some packages bring a service, and would start it: not at this run level.
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
    const { exitCode, stderr } = Bun.spawnSync(['sh', '-c', command], { env });
    if (exitCode !== 0) throw new Error(`"${command}" failed. Install these by hand: ${packages}.\n${stderr}`);
  }
  for (const name of missing) programPath(name);
}

if (import.meta.main) installPrograms();
