// Tests the CI jobs in docs/keeping-lists.md: parses their YAML, and runs their scripts unchanged on this machine, with a test
// issuer in place of GitHub's and GitLab's.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { makeSigner, runCallers, type Signer } from '../support/callers.ts';
import { type Frontdesk, makeFolder, startFrontdesk } from '../support/frontdesk.ts';
import { freePort } from '../support/ports.ts';
import { command, root, runToEnd } from '../support/process.ts';
import { programPath } from '../support/programs.ts';
import { until } from '../support/waiting.ts';

const guide = readFileSync(join(root, 'docs/keeping-lists.md'), 'utf8');
const sectionOf = (title: string) => guide.split(`#### ${title}\n`)[1]?.split(/\n#{2,4} /)[0] ?? '';
const blockOf = (section: string, language: string) =>
  new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(section)?.[1] ?? '';

const folder = makeFolder();
/** The folder in which the CI system has the project's files. */
let project: string;
let issuer: ReturnType<typeof Bun.serve>;
let issuerUrl: string;
let signer: Signer;
let desk: Frontdesk;

beforeAll(async () => {
  signer = await makeSigner('k-1', 'RS256');
  const port = freePort();
  issuerUrl = `http://localhost:${port}`;
  issuer = Bun.serve({
    port,
    routes: {
      '/.well-known/openid-configuration': () =>
        Response.json({
          issuer: issuerUrl,
          jwks_uri: `${issuerUrl}/jwks`,
          id_token_signing_alg_values_supported: ['RS256'],
        }),
      '/jwks': () => Response.json({ keys: [signer.publicJwk] }),
      // Gives a job its token as GitHub does.
      '/token': async (request) => {
        const { searchParams } = new URL(request.url);
        if (request.headers.get('authorization') !== 'bearer of the job') return new Response('', { status: 401 });
        const value = await tokenFor(searchParams.get('subject') ?? '', searchParams.get('audience') ?? '');
        return Response.json({ count: 1, value });
      },
    },
    fetch: () => new Response('', { status: 404 }),
  });
  writeFileSync(join(folder, 'frontdesk'), `#!/bin/sh\nexec ${command.join(' ')} "$@"\n`);
  chmodSync(join(folder, 'frontdesk'), 0o755);
});
afterAll(async () => {
  await issuer.stop(true);
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  desk = await startFrontdesk();
  project = mkdtempSync(join(folder, 'project-'));
});
afterEach(() => desk.stop());

function tokenFor(sub: string, aud: string): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return signer.sign({ iss: issuerUrl, sub, aud, iat: now, nbf: now, exp: now + 300, jti: crypto.randomUUID() });
}

/** Runs the lines that register the callers, with the issuer of this test. */
async function registerCallers(section: string): Promise<void> {
  const lines = blockOf(section, 'sh').matchAll(/^frontdesk callers (add .+)$/gm);
  for (const [, words = ''] of lines) {
    const given = words.split(' ').map((word, index, all) => (all[index - 1] === '--issuer' ? issuerUrl : word));
    expect(await runCallers(desk, ...given)).toMatchObject({ exitCode: 0, stderr: '' });
  }
}

/** Runs a step as the CI system's runner does. */
async function runLines(shell: string[], lines: string, env: Record<string, string>) {
  const child = Bun.spawn([...shell, lines], {
    cwd: project,
    env: { PATH: `${folder}:${process.env.PATH}`, HOME: project, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { stdout, stderr, exitCode };
}

const exportPlain = async () => {
  const { stdout } = await runToEnd(['lookups', 'export', '--plain'], desk.commandEnv, desk.folder);
  return stdout;
};
const historyOf = async (list: string) =>
  (await runToEnd(['lookups', 'history', list, '--limit', '1'], desk.commandEnv, desk.folder)).stdout;

async function editLists(): Promise<void> {
  const exported = await exportPlain();
  writeFileSync(join(project, 'lists.yaml'), exported.replace('label: Intern\n', 'label: Trainee\n'));
}
const shownPlan = 'employment-type\n  ~ INTERN\n      label: "Intern" → "Trainee"\n';
/** Waits until the service knows a new caller, which takes up to a second. */
const untilKnown = (sub: string) =>
  until(async () => {
    const body = new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: await tokenFor(sub, desk.url),
    });
    return (await fetch(`${desk.url}/auth/token`, { method: 'POST', body })).status === 200;
  });

describe('GitHub Actions', () => {
  const section = sectionOf('GitHub Actions');
  const workflow = parse(blockOf(section, 'yaml')) as {
    on: Record<string, unknown>;
    permissions: Record<string, string>;
    env: Record<string, string>;
    jobs: { lists: { steps: { name?: string; if?: string; run?: string }[] } };
  };
  const pullRequest = 'repo:acme/lists:pull_request';
  const mainBranch = 'repo:acme/lists:ref:refs/heads/main';

  /** Runs the steps for this event, except those that need GitHub's own machine. */
  async function runJob(event: 'pull_request' | 'push', subject: string) {
    const files = { GITHUB_ENV: join(project, 'env'), GITHUB_STEP_SUMMARY: join(project, 'summary') };
    for (const file of Object.values(files)) writeFileSync(file, '');
    const env: Record<string, string> = {
      ...workflow.env,
      ...files,
      DESK: desk.url,
      RUNNER_TEMP: project,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of the job',
      ACTIONS_ID_TOKEN_REQUEST_URL: `${issuerUrl}/token?subject=${subject}`,
      MESSAGE: 'New "titles" for $2027\n\nMore about it.',
    };
    let result = { stdout: '', stderr: '', exitCode: 0 };
    for (const { name, if: condition = '', run } of workflow.jobs.lists.steps) {
      if (run === undefined || name === 'Get the command') continue;
      if (condition !== '' && condition !== `github.event_name == '${event}'`) continue;
      for (const line of readFileSync(files.GITHUB_ENV, 'utf8').split('\n').filter(Boolean)) {
        const [variable = '', value = ''] = line.split('=');
        env[variable] = value;
      }
      result = await runLines([programPath('bash'), '--noprofile', '--norc', '-eo', 'pipefail', '-c'], run, env);
      if (result.exitCode !== 0) break;
    }
    return { ...result, summary: readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8') };
  }

  test("asks only to read the project and to get the job's token", () => {
    expect(workflow.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
    expect(Object.keys(workflow.on)).toEqual(['pull_request', 'push']);
  });

  test('a pull request with a wrong file fails; one with changes shows the plan and cannot write; the main branch applies the changes, and nothing twice', async () => {
    await registerCallers(section);
    for (const sub of [pullRequest, mainBranch]) await untilKnown(sub);
    writeFileSync(join(project, 'lists.yaml'), 'lists: { position: { items: [{ value: lower, label: x }] } }');
    const { exitCode, stderr } = await runJob('pull_request', pullRequest);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('lists.yaml:1:')]);
    await editLists();
    const planned = await runJob('pull_request', pullRequest);
    expect(planned).toMatchObject({ exitCode: 0, stdout: shownPlan, summary: `\`\`\`\n${shownPlan}\`\`\`\n` });
    // A pull request that runs the step for pushes is refused.
    expect(await runJob('push', pullRequest)).toMatchObject({ exitCode: 77, stdout: '' });
    expect(await historyOf('employment-type')).toStartWith('version 1 ');
    const applied = await runJob('push', mainBranch);
    expect(applied).toMatchObject({ exitCode: 0, stdout: `${shownPlan}Applied.\n` });
    expect(await historyOf('employment-type')).toMatch(
      /^version 2 {2}\S+ {2}caller:lists-apply {2}New "titles" for \$2027\n/,
    );
    expect(await runJob('push', mainBranch)).toMatchObject({ exitCode: 0, stdout: 'Nothing to change.\n' });
  });
});

describe('GitLab', () => {
  const section = sectionOf('GitLab');
  type Job = { script: string[]; before_script: string[]; variables: Record<string, string>; extends?: string };
  const pipeline = parse(blockOf(section, 'yaml')) as Record<'.lists' | 'plan' | 'apply', Partial<Job>>;
  const anyBranch = 'project_path:acme/lists:ref_protected:false';
  const protectedBranch = 'project_path:acme/lists:ref_protected:true';

  async function runJob(name: 'plan' | 'apply', subject: string) {
    const { before_script = [], variables } = pipeline['.lists'];
    const { script = [] } = pipeline[name];
    const env = {
      ...variables,
      DESK: desk.url,
      LISTS_TOKEN: await tokenFor(subject, desk.url),
      CI_COMMIT_TITLE: 'New "titles" for $2027',
    };
    programPath('mktemp');
    // The image has no bash, and all lines run in one shell.
    return runLines(['sh', '-e', '-c'], [...before_script, ...script].join('\n'), env);
  }

  test('a merge request shows the plan and cannot write; the protected branch applies it', async () => {
    expect([pipeline.plan.extends, pipeline.apply.extends]).toEqual(['.lists', '.lists']);
    await registerCallers(section);
    for (const sub of [anyBranch, protectedBranch]) await untilKnown(sub);
    await editLists();
    expect(await runJob('plan', anyBranch)).toMatchObject({ exitCode: 0, stdout: shownPlan });
    expect(await runJob('apply', anyBranch)).toMatchObject({ exitCode: 77, stdout: '' });
    expect(await runJob('apply', protectedBranch)).toMatchObject({ exitCode: 0, stdout: `${shownPlan}Applied.\n` });
    expect(await historyOf('employment-type')).toMatch(
      /^version 2 {2}\S+ {2}caller:lists-apply {2}New "titles" for \$2027\n/,
    );
    expect(await runJob('plan', anyBranch)).toMatchObject({ exitCode: 0, stdout: 'Nothing to change.\n' });
  });
});
