// npm test -- kubernetes: deploy/kubernetes, built by kustomize and checked against the schemas of Kubernetes.
import { beforeAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './support/process.ts';
import { temporaryFolders } from './support/temporary-folders.ts';

/** A package from PyPI that contains the schemas of many Kubernetes versions. */
const validator = 'kubernetes-validate==1.37.0';
/** The oldest version that supports everything used here, and the newest for which the package has schemas. */
const versions = ['1.30', '1.37'];

const python = Bun.which('python3');
if (python === null) throw new Error('python3 is missing: apt-get install python3-venv');
const build = [
  ['kustomize', 'build'],
  ['kubectl', 'kustomize'],
].find(([program = '']) => Bun.which(program) !== null);
if (build === undefined) throw new Error('kustomize and kubectl are missing: one of them is needed');

const folder = temporaryFolders();
let programs: string;

function run(...command: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: join(root, 'deploy/kubernetes') });
  if (exitCode !== 0) throw new Error(`${command.join(' ')}: ${stdout}${stderr}`);
  return stdout.toString() + stderr.toString();
}

beforeAll(() => {
  const environment = folder();
  run(python, '-m', 'venv', environment);
  programs = join(environment, 'bin');
  run(join(programs, 'pip'), 'install', '--quiet', '--disable-pip-version-check', validator);
});

interface Resource {
  apiVersion: string;
  kind: string;
}

/** Whether the resource is for the Prometheus Operator. The validator has no schemas for these. */
const isCustom = ({ apiVersion }: Resource) => apiVersion === 'monitoring.coreos.com/v1';

test.each([
  ['base', ['ConfigMap', 'Service', 'Service', 'Deployment', 'NetworkPolicy']],
  [
    'two-replicas',
    [
      'ConfigMap',
      'Service',
      'Service',
      'Deployment',
      'PodDisruptionBudget',
      'HorizontalPodAutoscaler',
      'NetworkPolicy',
    ],
  ],
  ['migrate', ['Job']],
  ['namespace.yaml', ['Namespace']],
])('%s is valid', (source, kinds) => {
  const text = source.endsWith('.yaml') ? run('cat', source) : run(...build, source);
  const resources = [Bun.YAML.parse(text)].flat() as Resource[];
  const standard = resources.filter((each) => !isCustom(each));
  expect(standard.map(({ kind }) => kind).sort()).toEqual(kinds.toSorted());
  const file = join(folder(), 'resources.yaml');
  writeFileSync(file, standard.map((each) => `---\n${JSON.stringify(each)}\n`).join(''));
  for (const version of versions) {
    const printed = run(join(programs, 'kubernetes-validate'), '--strict', '-k', version, file);
    process.stdout.write(printed.replaceAll(file, source));
    expect(printed.match(/ passed for resource /g)?.length).toBe(kinds.length);
  }
});

test('an invalid resource is refused', () => {
  const file = join(folder(), 'wrong.yaml');
  writeFileSync(file, run(...build, 'base').replace('runAsUser: 10001', 'runAsUser: nobody'));
  expect(() => run(join(programs, 'kubernetes-validate'), '--strict', '-k', '1.37', file)).toThrow('runAsUser');
});
