// Compares deploy/kubernetes with the code, the image and the guide. `npm test -- kubernetes` checks it against Kubernetes' schemas.
import { describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../../package.json';
import { exitCodes } from '../../src/base/exit-error.ts';
import { longestStopOfWorkersMs } from '../../src/base/stop-times.ts';
import { readConfig } from '../../src/config/config.ts';
import { variables } from '../../src/config/variables.ts';
import { startFrontdesk } from '../support/frontdesk.ts';
import { guideBlock, runInGuide } from '../support/guide.ts';
import { root, runToEnd } from '../support/process.ts';
import { temporaryFolders } from '../support/temporary-folders.ts';

const folder = temporaryFolders();
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const readYaml = <T>(file: string) => Bun.YAML.parse(read(`deploy/kubernetes/${file}`)) as T;

interface Probe {
  httpGet: { path: string; port: string };
  periodSeconds: number;
  failureThreshold?: number;
}

interface Container {
  image: string;
  args?: string[];
  env: { name: string; value: string }[];
  envFrom?: { configMapRef: { name: string } }[];
  ports: { name: string; containerPort: number }[];
  startupProbe: Probe;
  readinessProbe: Probe;
  livenessProbe: Probe;
  lifecycle: { preStop: { sleep: { seconds: number } } };
  resources: { requests: Record<string, string>; limits: Record<string, string> };
  securityContext: unknown;
  volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[];
}

interface Pod {
  metadata: { labels: Record<string, string> };
  spec: {
    automountServiceAccountToken: boolean;
    terminationGracePeriodSeconds: number;
    securityContext: unknown;
    topologySpreadConstraints: { labelSelector: Selector }[];
    containers: [Container];
    volumes: { name: string; secret?: { secretName: string }; emptyDir?: unknown }[];
  };
}

interface Selector {
  matchLabels: Record<string, string>;
}

interface Kustomization {
  images: { name: string; newTag: string }[];
  configMapGenerator: { name: string; literals: string[] }[];
}

const deployment = readYaml<{
  spec: { replicas?: number; progressDeadlineSeconds: number; selector: Selector; template: Pod };
}>('base/deployment.yaml');
const job = readYaml<{
  spec: { podFailurePolicy: { rules: [{ onExitCodes: { values: number[] } }] }; template: Pod };
}>('migrate/job.yaml');
const services =
  readYaml<
    {
      metadata: { name: string; labels: Record<string, string> };
      spec: { selector: Record<string, string>; ports: { name: string; port: number; targetPort: string }[] };
    }[]
  >('base/service.yaml');
const base = readYaml<Kustomization>('base/kustomization.yaml');
const dockerfile = read('deploy/Dockerfile');
const operations = read('docs/operations.md');
const pods = { deployment: deployment.spec.template, job: job.spec.template };
const [container] = pods.deployment.spec.containers;

const imageEnvironment = Object.fromEntries(
  [...dockerfile.matchAll(/^ENV (.*)$/gm)].flatMap(([, pairs = '']) => pairs.split(' ').map((pair) => pair.split('='))),
) as Record<string, string>;
const settings = Object.fromEntries(
  base.configMapGenerator.flatMap(({ literals }) => literals.map((pair) => pair.split(/=(.*)/s).slice(0, 2))),
) as Record<string, string>;
const variablesOf = ({ env }: Container) => Object.fromEntries(env.map(({ name, value }) => [name, value]));

/** The environment of a container, with the Secret's files in a temporary folder. */
function environmentOf(each: Container, secrets: Record<string, string>): Record<string, string> {
  const mounted = folder();
  for (const [name, value] of Object.entries(secrets)) writeFileSync(join(mounted, name), value);
  const [mount] = each.volumeMounts;
  const given = Object.entries({
    ...imageEnvironment,
    ...(each.envFrom !== undefined && settings),
    ...variablesOf(each),
  });
  return Object.fromEntries(given.map(([name, value]) => [name, value.replace(mount?.mountPath ?? '?', mounted)]));
}

describe('the variables', () => {
  test('exist', () => {
    const names = [
      ...Object.keys(settings),
      ...Object.values(pods).flatMap(({ spec }) => Object.keys(variablesOf(spec.containers[0]))),
    ];
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !(name in variables))).toEqual([]);
  });

  test('are a complete configuration for production, with the secrets from files', () => {
    const config = readConfig(
      environmentOf(container, {
        DATABASE_URL: 'postgres://frontdesk:secret@db.example.com/frontdesk?sslmode=verify-full',
        SECRET_KEY: 'only for this test, and long enough',
        OIDC_CLIENT_SECRET: 'a secret of theirs',
      }),
      false,
    );
    expect(config).toMatchObject({
      production: true,
      database: { engine: 'postgres' },
      secretKey: 'only for this test, and long enough',
      warnings: [],
    });
    expect(config.provider).toMatchObject({ issuer: settings.OIDC_ISSUER, clientSecret: 'a secret of theirs' });
  });

  test('leave OIDC_CLIENT_SECRET_FILE to the settings, because not every client has a secret', () => {
    expect(Object.keys(settings)).toContain('OIDC_CLIENT_SECRET_FILE');
    const names = Object.values(pods).flatMap(({ spec }) => Object.keys(variablesOf(spec.containers[0])));
    expect(names).not.toContain('OIDC_CLIENT_SECRET_FILE');
  });

  test("are enough for frontdesk migrate, which gets the owner's account and no other secret", async () => {
    const [migrate] = pods.job.spec.containers;
    const file = join(folder(), 'frontdesk.db');
    const env = environmentOf(migrate, { DATABASE_URL: `sqlite:${file}` });
    expect(await runToEnd(migrate.args ?? [], env, folder())).toMatchObject({
      exitCode: 0,
      stderr: '',
      stdout: expect.stringMatching(/are up to date\.\n$/),
    });
    const secretOf = ({ spec }: Pod) => spec.volumes.flatMap(({ secret }) => secret?.secretName ?? []);
    expect([secretOf(pods.deployment), secretOf(pods.job)]).toEqual([['frontdesk'], ['frontdesk-owner']]);
  });

  test('a job is not repeated after the exit codes that mean a wrong configuration or wrong arguments', () => {
    const [{ onExitCodes }] = job.spec.podFailurePolicy.rules;
    expect(onExitCodes.values).toEqual([exitCodes.usage, exitCodes.configuration]);
  });
});

test('pods run as the image does: without privileges, on a file system they cannot write to', () => {
  const [, user] = /^USER (\d+):\1$/m.exec(dockerfile) ?? [];
  const [, workingFolder] = /^WORKDIR (\/data)$/m.exec(dockerfile) ?? [];
  for (const { spec } of Object.values(pods)) {
    expect(spec.automountServiceAccountToken).toBe(false);
    expect(spec.securityContext).toEqual({
      runAsNonRoot: true,
      runAsUser: Number(user),
      runAsGroup: Number(user),
      fsGroup: Number(user),
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(spec.containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    const writable = spec.containers[0].volumeMounts.filter(({ readOnly }) => readOnly !== true);
    expect(writable.map(({ mountPath }) => mountPath)).toEqual([workingFolder ?? '']);
    expect(spec.volumes.find(({ name }) => name === writable[0]?.name)?.emptyDir).toBeDefined();
  }
});

test('the ports match the image and the settings, and the Services lead to them', () => {
  const numbers = Object.fromEntries(container.ports.map(({ name, containerPort }) => [name, String(containerPort)]));
  expect(numbers).toEqual({ http: imageEnvironment.PORT ?? '', metrics: settings.METRICS_PORT ?? '' });
  expect(imageEnvironment.PORT).toBe(String(variables.PORT.parse(undefined)));
  const { labels } = pods.deployment.metadata;
  for (const { spec } of services) {
    expect(spec.selector).toEqual(labels);
    for (const { targetPort } of spec.ports) expect(Object.keys(numbers)).toContain(targetPort);
  }
  const policy = readYaml<{
    spec: { podSelector: Selector; ingress: { ports: { port: string }[] }[]; egress: { ports: { port: number }[] }[] };
  }>('base/network-policy.yaml');
  expect(policy.spec.ingress.flatMap(({ ports }) => ports.map(({ port }) => port))).toEqual(['http', 'metrics']);
  // The ports of DNS, PostgreSQL, PgBouncer, the provider, Keycloak in the cluster, and the collector in the guide's example.
  const [, , collector] = /^.*OTEL_EXPORTER_OTLP_ENDPOINT=http:\/\/(\w+):(\d+)/m.exec(operations) ?? [];
  const ports = policy.spec.egress.flatMap((each) => each.ports.map(({ port }) => port));
  expect(ports).toEqual(expect.arrayContaining([53, 5432, 6432, 443, 8443, Number(collector)]));
  expect(labels).toMatchObject(policy.spec.podSelector.matchLabels);
  expect(pods.job.metadata.labels).toMatchObject(policy.spec.podSelector.matchLabels);
});

test('everything that concerns replicas selects the pods of the service, and not those of the job', () => {
  const { labels } = pods.deployment.metadata;
  const budget = readYaml<{ spec: { selector: Selector } }>('two-replicas/pod-disruption-budget.yaml');
  const selectors = [
    deployment.spec.selector,
    budget.spec.selector,
    ...pods.deployment.spec.topologySpreadConstraints.map(({ labelSelector }) => labelSelector),
  ];
  expect(selectors.length).toBe(4);
  for (const { matchLabels } of selectors) expect(matchLabels).toEqual(labels);
  expect(pods.job.metadata.labels).not.toMatchObject(labels);
  // A number here would override the autoscaler's on every `kubectl apply`.
  expect(deployment.spec.replicas).toBeUndefined();
  const scaler = readYaml<{ spec: { minReplicas: number; scaleTargetRef: { name: string } } }>(
    'two-replicas/horizontal-pod-autoscaler.yaml',
  );
  expect(scaler.spec).toMatchObject({ minReplicas: 2, scaleTargetRef: { name: 'frontdesk' } });
});

describe('probes', () => {
  const { startupProbe, readinessProbe, livenessProbe } = container;

  test('ask routes that answer 200', async () => {
    const desk = await startFrontdesk();
    for (const { httpGet } of [startupProbe, readinessProbe, livenessProbe]) {
      expect(httpGet.port).toBe('http');
      expect([httpGet.path, (await desk.get(httpGet.path)).status]).toEqual([httpGet.path, 200]);
    }
    await desk.stop();
  });

  test('startup may take an hour, and only a process that hangs is restarted or gets no requests', () => {
    // The other probes begin after the startup probe, which waits for tables and lists.
    expect(startupProbe.httpGet.path).toBe('/health/ready');
    const longestStart = startupProbe.periodSeconds * (startupProbe.failureThreshold ?? 0);
    expect(longestStart).toBe(3600);
    expect(deployment.spec.progressDeadlineSeconds).toBeGreaterThan(longestStart);
    for (const { httpGet } of [readinessProbe, livenessProbe]) expect(httpGet.path).toBe('/health/live');
  });
});

test('the guide waits for the migration, and replaces no replica if it fails', async () => {
  const commands = guideBlock('kubectl -n frontdesk delete job frontdesk-migrate');
  const stepsIf = async (condition: 'complete' | 'failed') => {
    const steps = join(folder(), 'steps');
    // The first time that `kubectl wait` asks for the condition, it is not met.
    const kubectl = `case "$*" in
      *condition=${condition}*) grep -q ${condition} '${steps}'; met=$?; echo ${condition} >> '${steps}'; exit $met;;
      *condition=*) exit 1;;
      *) echo "$*" >> '${steps}';;
    esac`;
    const run = runInGuide(commands, { scripts: { kubectl } });
    await (condition === 'failed' ? expect(run).rejects.toThrow('exit 1') : run);
    return readFileSync(steps, 'utf8').trim().split('\n');
  };
  const first = ['-n frontdesk delete job frontdesk-migrate --ignore-not-found', 'apply -k deploy/kubernetes/migrate'];
  const last = 'apply -k deploy/kubernetes/two-replicas';
  expect(await stepsIf('complete')).toEqual([...first, 'complete', 'complete', last]);
  expect(await stepsIf('failed')).toEqual([...first, 'failed', 'failed']);
});

test('a pod has time to stop', () => {
  const { terminationGracePeriodSeconds, containers } = pods.deployment.spec;
  const { seconds } = containers[0].lifecycle.preStop.sleep;
  expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(seconds + longestStopOfWorkersMs / 1000);
});

test('resource requests and limits are those of the sizing table', () => {
  const [, row = ''] = /^\| one process \| (.*) \|$/m.exec(operations) ?? [];
  for (const { spec } of Object.values(pods)) {
    const { requests, limits } = spec.containers[0].resources;
    for (const [kind, { cpu, memory }] of Object.entries({ request: requests, limit: limits }))
      expect(row).toContain(`${kind} \`cpu: ${cpu}, memory: ${memory}\``);
  }
});

test('the image has the version of the package', () => {
  for (const file of ['base', 'migrate'])
    expect(readYaml<Kustomization>(`${file}/kustomization.yaml`).images).toMatchObject([
      { name: container.image, newTag: packageJson.version },
    ]);
});

test('Prometheus scrapes the metrics as job="frontdesk", with the rules of deploy/alerts.yaml', () => {
  const monitor = readYaml<{
    spec: { jobLabel: string; selector: Selector; endpoints: { port: string; path: string }[] };
  }>('base/service-monitor.yaml');
  const scraped = services.filter(({ metadata }) =>
    Object.entries(monitor.spec.selector.matchLabels).every(([name, value]) => metadata.labels[name] === value),
  );
  expect(scraped.map(({ metadata, spec }) => [metadata.labels[monitor.spec.jobLabel], spec.ports[0]?.name])).toEqual([
    ['frontdesk', monitor.spec.endpoints[0]?.port],
  ]);
  expect(monitor.spec.endpoints[0]?.path).toBe('/metrics');
  const { spec } = readYaml<{ spec: unknown }>('base/prometheus-rule.yaml');
  // The first lines of prometheus-rule.yaml say how to copy the rules.
  expect(spec).toEqual(Bun.YAML.parse(read('deploy/alerts.yaml')));
});
