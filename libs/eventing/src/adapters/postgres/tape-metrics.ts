import { Counter, Gauge, Histogram } from 'prom-client';
import type { BatchSender } from './append-batcher.ts';

/** The values that the gauges read from every open store of the process. */
export type StoreGauges = Readonly<{ markAgeMs: () => number; waitingAppends: () => number }>;

const openStores = new Set<StoreGauges>();

/** A gauge that shows the maximum of the open stores. */
const storeGauge = (name: string, help: string, read: (store: StoreGauges) => number): Gauge =>
  new Gauge({
    name,
    help,
    collect() {
      this.set(Math.max(0, ...[...openStores].map(read)));
    },
  });

storeGauge(
  'tape_mark_age_seconds',
  'For how long the oldest open append has kept the settled mark from advancing.',
  ({ markAgeMs }) => markAgeMs() / 1_000,
);
storeGauge('tape_waiting_appends', 'Appends that wait or are in flight.', ({ waitingAppends }) =>
  waitingAppends(),
);

const batchSize = new Histogram({
  name: 'tape_batch_appends',
  help: 'Appends per batch.',
  buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
});
const batchDuration = new Histogram({
  name: 'tape_batch_duration_seconds',
  help: 'Round trip of a batch of appends.',
  buckets: [0.000_3, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1],
});
const unknownEvents = new Counter({
  name: 'tape_unknown_events_total',
  help: 'Stored events that readers did not get, because their type or version is unknown.',
  labelNames: ['type'],
});

/** Shows the store in the gauges until the returned function is called. */
export const registerStoreGauges = (store: StoreGauges): (() => void) => {
  openStores.add(store);
  return () => {
    openStores.delete(store);
  };
};

export const countUnknownEvent = (type: string): void => unknownEvents.inc({ type });

/** The sender, with metrics of every batch that it sends. */
export const withBatchMetrics = (sender: BatchSender): BatchSender => ({
  ...sender,
  send: async (appends, onSent) => {
    const started = performance.now();
    const results = await sender.send(appends, onSent);
    batchSize.observe(appends.length);
    batchDuration.observe((performance.now() - started) / 1_000);
    return results;
  },
});
