// What a supervisor and its workers say to each other.
import type { MetricObject } from 'prom-client';

export type FromWorker = { kind: 'ready'; issuer: string } | { kind: 'metrics'; snapshot: MetricObject[] };
export type ToWorker = { kind: 'send-metrics' };

/** In a worker's environment: which one it is. */
export const workerVariable = 'FRONTDESK_WORKER';
