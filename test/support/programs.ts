// Programs the tests need beside npm's: found where they are, installed on Debian where they are not.

/** The path of the first of these programs there is; else of the one the Debian package brings. */
export function findOrInstall(names: readonly string[], debianPackage: string): string {
  const found = find(names);
  if (found !== undefined) return found;
  for (const command of ['apt-get update', `apt-get install -y --no-install-recommends ${debianPackage}`]) {
    // Some packages bring a service, and would start it: not at this run level.
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
    const { exitCode, stderr } = Bun.spawnSync(['sh', '-c', command], { env });
    if (exitCode !== 0) throw new Error(`None of ${names.join(', ')} is here, and "${command}" failed.\n${stderr}`);
  }
  const installed = find(names);
  if (installed === undefined) throw new Error(`${debianPackage} brought none of ${names.join(', ')}.`);
  return installed;
}

function find(names: readonly string[]): string | undefined {
  return names.map((name) => Bun.which(name)).find((path) => path !== null) ?? undefined;
}
