// Prometheus metrics. If several workers share a port, the supervisor adds up their metrics.
import { readdirSync } from 'node:fs';
import { AggregatorRegistry, Counter, Gauge, Histogram, type MetricObject, Registry } from 'prom-client';
import { codeOf } from '../base/guards.ts';
import type { Telemetry } from './telemetry.ts';

export interface Metrics extends Telemetry {
  /** Adds values that are read on each scrape. */
  observe(sources: MetricSources): void;
  /** Returns the metrics in Prometheus' text format. */
  text(): Promise<string>;
  /** Returns the metrics in the form in which they are added to those of other workers. */
  snapshot(): Promise<MetricObject[]>;
}

export interface MetricSources {
  pools(): { pool: string; open: number; waiting: number }[];
  lists(): { list: string; version: number; updatedAt: string }[];
  tokenChecks(): Record<'remembered' | 'verified' | 'refused', number>;
  /** When the database was last polled successfully. */
  upToDateAt(): Date;
  openStreams(): number;
  isProviderKnown(): boolean;
}

const requestSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const callSeconds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export function createMetrics(version: string, commit: string): Metrics {
  const register = new Registry();
  const registers = [register];
  const requests = new Histogram({
    name: 'frontdesk_http_request_duration_seconds',
    help: 'Duration of requests, by declared route',
    labelNames: ['method', 'route', 'status'],
    buckets: requestSeconds,
    registers,
  });
  const providerCalls = new Histogram({
    name: 'frontdesk_provider_call_duration_seconds',
    help: "Duration of calls to the identity provider and to callers' issuers",
    labelNames: ['operation', 'outcome'],
    buckets: callSeconds,
    registers,
  });
  const statements = new Histogram({
    name: 'frontdesk_database_call_duration_seconds',
    help: 'Duration of database statements',
    labelNames: ['operation', 'outcome'],
    buckets: callSeconds,
    registers,
  });
  const waits = new Histogram({
    name: 'frontdesk_database_pool_wait_seconds',
    help: 'Time until a database connection was obtained (including opening a new one), or until the wait was given up because none became free',
    labelNames: ['pool'],
    buckets: callSeconds,
    registers,
  });
  for (const pool of ['write', 'read']) waits.zero({ pool });
  const signIns = new Counter({
    name: 'frontdesk_sign_ins_total',
    help: 'Finished sign-ins by outcome: success, or the problem code',
    labelNames: ['way', 'outcome'],
    registers,
  });
  // Prometheus sees no increase in a series that starts at 1. So those that alerts use start at 0.
  for (const way of ['bound', 'code-only']) {
    for (const outcome of ['success', 'idp-configuration']) signIns.inc({ way, outcome }, 0);
  }
  const renewals = new Counter({
    name: 'frontdesk_renewals_total',
    help: 'Session renewals by outcome: success, without-call if the provider was not asked, or the problem code',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of ['success', 'idp-configuration']) renewals.inc({ outcome }, 0);
  const callerTokens = new Counter({
    name: 'frontdesk_caller_tokens_total',
    help: "Programs' requests for access tokens by outcome: success, or the problem code",
    labelNames: ['outcome'],
    registers,
  });
  callerTokens.inc({ outcome: 'success' }, 0);
  const defects = new Counter({ name: 'frontdesk_defects_total', help: 'Answers with status 500', registers });
  const lag = new Histogram({
    name: 'frontdesk_replica_lag_seconds',
    help: 'Time from a list change on any replica until it is served here',
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 2, 5, 30],
    registers,
  });
  addBuildInfo(registers, version, commit);
  addProcessMetrics(registers);

  return {
    request({ method }) {
      const start = performance.now();
      return {
        run: (work) => work(),
        // A client can send any method, and each would add a series, so unknown methods share one.
        end(route, status) {
          requests.observe({ method: knownMethod(method), route, status }, (performance.now() - start) / 1000);
          if (status === 500) defects.inc();
        },
      };
    },
    async providerCall(operation, call) {
      const end = providerCalls.startTimer({ operation });
      try {
        const result = await call();
        end({ outcome: 'success' });
        return result;
      } catch (error) {
        end({ outcome: String(codeOf(error) ?? 'error') });
        throw error;
      }
    },
    statement(text, milliseconds, hasFailed) {
      const operation = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'other';
      statements.observe({ operation, outcome: hasFailed ? 'error' : 'success' }, milliseconds / 1000);
    },
    connectionTaken: (pool, milliseconds) => waits.observe({ pool }, milliseconds / 1000),
    signIn: (way, outcome) => signIns.inc({ way, outcome }),
    renewal: (outcome) => renewals.inc({ outcome }),
    callerToken: (outcome) => callerTokens.inc({ outcome }),
    listTakenUp: (delaySeconds) => lag.observe(Math.max(0, delaySeconds)),
    observe: (sources) => addSources(registers, sources),
    text: () => register.metrics(),
    snapshot: () => register.getMetricsAsJSON(),
  };
}

function addBuildInfo(registers: Registry[], version: string, commit: string): void {
  new Gauge({
    name: 'frontdesk_build_info',
    help: 'The running version, and the commit it was built from',
    labelNames: ['version', 'commit'],
    aggregator: 'first',
    registers,
  }).set({ version, commit }, 1);
}

/** The only metric that does not come from a worker, so it is available while all workers are still starting. */
export function buildInfo(version: string, commit: string): Promise<MetricObject[]> {
  const register = new Registry();
  addBuildInfo([register], version, commit);
  return register.getMetricsAsJSON();
}

/** Adds up the metrics of several processes, and returns them as text. */
export function addUp(snapshots: MetricObject[][]): Promise<string> {
  return AggregatorRegistry.aggregate(snapshots).metrics();
}

/** Adds up the counters of processes that have ended. Gauges are left out, because they describe the present. */
export function addUpCounted(snapshots: MetricObject[][]): Promise<MetricObject[]> {
  const counted = snapshots.map((snapshot) =>
    snapshot.filter(({ type }) => ['counter', 'histogram'].includes(String(type))),
  );
  return AggregatorRegistry.aggregate(counted).getMetricsAsJSON();
}

function addSources(registers: Registry[], sources: MetricSources): void {
  new Gauge({
    name: 'frontdesk_database_pool_connections',
    help: 'Open connections to the database',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const { pool, open } of sources.pools()) this.set({ pool }, open);
    },
  });
  new Gauge({
    name: 'frontdesk_database_pool_waiting',
    help: 'Transactions and statements that wait for a connection to the database',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const { pool, waiting } of sources.pools()) this.set({ pool }, waiting);
    },
  });
  new Gauge({
    name: 'frontdesk_list_version',
    help: 'The version of each list that is served',
    labelNames: ['list'],
    // With several workers, the oldest version that any of them serves.
    aggregator: 'min',
    registers,
    collect() {
      for (const { list, version } of sources.lists()) this.set({ list }, version);
    },
  });
  new Gauge({
    name: 'frontdesk_list_changed_timestamp_seconds',
    help: 'When the served version of each list was made',
    labelNames: ['list'],
    aggregator: 'min',
    registers,
    collect() {
      for (const { list, updatedAt } of sources.lists()) this.set({ list }, Date.parse(updatedAt) / 1000);
    },
  });
  new Gauge({
    name: 'frontdesk_up_to_date_timestamp_seconds',
    help: 'When this replica last polled the database successfully',
    aggregator: 'min',
    registers,
    collect() {
      this.set(sources.upToDateAt().getTime() / 1000);
    },
  });
  new Gauge({
    name: 'frontdesk_change_streams',
    help: 'Open streams of changes',
    registers,
    collect() {
      this.set(sources.openStreams());
    },
  });
  new Gauge({
    name: 'frontdesk_provider_known',
    help: '1 once the identity provider has been found',
    aggregator: 'min',
    registers,
    collect() {
      this.set(sources.isProviderKnown() ? 1 : 0);
    },
  });
  new Counter({
    name: 'frontdesk_token_checks_total',
    help: 'Checked access tokens by result: remembered from an earlier request, verified, or refused',
    labelNames: ['result'],
    registers,
    // Token checks are counted in plain variables, which are read only here, so that counting costs a list request almost
    // nothing.
    collect() {
      this.reset();
      for (const [result, count] of Object.entries(sources.tokenChecks())) this.inc({ result }, count);
    },
  });
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const knownMethod = (method: string) => (methods.has(method) ? method : 'other');

/**
 * Adds memory, processor time, open files and the delay of the event loop. The defaults of prom-client are not used, because
 * they depend on Node's engine.
 */
function addProcessMetrics(registers: Registry[]): void {
  const startedAt = Date.now() / 1000 - process.uptime();
  new Gauge({
    name: 'process_start_time_seconds',
    help: 'When the process started',
    aggregator: 'max',
    registers,
  }).set(startedAt);
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time used',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Memory in use',
    registers,
    collect() {
      this.set(orNaN(process.memoryUsage.rss));
    },
  });
  if (process.platform === 'linux') {
    new Gauge({
      name: 'process_open_fds',
      help: 'Open files and connections',
      registers,
      collect() {
        this.set(orNaN(() => readdirSync('/proc/self/fd').length));
      },
    });
  }
  let worst = 0;
  let due = performance.now() + lagCheckMs;
  setInterval(() => {
    worst = Math.max(worst, performance.now() - due);
    due = performance.now() + lagCheckMs;
  }, lagCheckMs).unref();
  new Gauge({
    name: 'frontdesk_event_loop_lag_seconds',
    help: 'The longest delay of the event loop since the last scrape',
    aggregator: 'max',
    registers,
    collect() {
      this.set(Math.max(0, worst) / 1000);
      worst = 0;
    },
  });
}

/** Returns NaN if a value cannot be read. The files in /proc cannot be read when no file descriptor is free. */
function orNaN(read: () => number): number {
  try {
    return read();
  } catch {
    return Number.NaN;
  }
}

const lagCheckMs = 100;
