import { expect, test } from 'bun:test';
import { Counter, Gauge, Registry } from 'prom-client';
import { WorkerMetrics } from './worker-metrics.ts';

/** The metrics of a worker that has answered this many requests. */
async function told(requests: number) {
  const register = new Registry();
  new Counter({ name: 'requests_total', help: 'r', registers: [register] }).inc(requests);
  new Gauge({ name: 'streams', help: 's', registers: [register] }).set(1);
  return register.getMetricsAsJSON();
}

async function valuesOf(metrics: WorkerMetrics<string>) {
  const text = await metrics.text();
  const readSeries = (name: string) => new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1];
  return { requests: readSeries('requests_total'), streams: readSeries('streams') };
}

test('without any reports there are no metrics, and no error', async () => {
  expect(await new WorkerMetrics<string>([]).text()).toBe('\n');
});

test('counters of two workers that end at the same moment are kept, their gauges are not', async () => {
  const metrics = new WorkerMetrics<string>([]);
  metrics.begin('one');
  metrics.update('one', await told(1000));
  metrics.begin('two');
  metrics.update('two', await told(700));
  expect(await valuesOf(metrics)).toEqual({ requests: '1700', streams: '2' });
  metrics.end('one');
  metrics.end('two');
  expect(await valuesOf(metrics)).toEqual({ requests: '1700', streams: undefined });
  metrics.begin('three');
  metrics.update('three', await told(5));
  expect(await valuesOf(metrics)).toEqual({ requests: '1705', streams: '1' });
});

test('a worker that ended is counted once, even while sums are computed', async () => {
  const metrics = new WorkerMetrics<string>([]);
  metrics.begin('one');
  metrics.update('one', await told(1000));
  const adding = valuesOf(metrics);
  metrics.end('one');
  // These metrics were still being sent when the worker ended.
  metrics.update('one', await told(1200));
  expect([(await adding).requests, (await valuesOf(metrics)).requests]).toEqual(['1000', '1000']);
});

test('the metrics of ended workers are combined, and nothing is lost while they are added up', async () => {
  const metrics = new WorkerMetrics<string>([]);
  const sums: number[] = [];
  for (let count = 1; count <= 100; count++) {
    metrics.begin(`${count}`);
    metrics.update(`${count}`, await told(10));
    metrics.end(`${count}`);
    sums.push(Number((await valuesOf(metrics)).requests));
  }
  expect(sums).toEqual(Array.from({ length: 100 }, (_, index) => (index + 1) * 10));
  expect(metrics.parts).toBeLessThan(20);
});
