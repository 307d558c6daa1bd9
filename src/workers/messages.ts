// The messages between a supervisor and its workers.
import type { MetricObject } from 'prom-client';

export type FromWorker = { kind: 'ready'; issuer: string } | { kind: 'metrics'; snapshot: MetricObject[] };
export type ToWorker = { kind: 'send-metrics' };

/** The environment variable with a worker's number. */
export const workerVariable = 'FRONTDESK_WORKER';
