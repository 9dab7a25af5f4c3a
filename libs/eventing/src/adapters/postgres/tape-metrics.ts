import { Counter, Gauge, Histogram } from 'prom-client';
import { metricOnce } from '../../metrics-registry.ts';
import type { BatchSender } from './append-batcher.ts';

/** What is asked of every open store when the figures are collected. */
export type TapeFigures = Readonly<{ markAge: () => number; waiting: () => number }>;

const open = new Set<TapeFigures>();

const figure = (name: string, help: string, read: (figures: TapeFigures) => number): void => {
  metricOnce(
    name,
    () =>
      new Gauge({
        name,
        help,
        collect() {
          this.set(Math.max(0, ...[...open].map(read)));
        },
      }),
  );
};

figure(
  'tape_mark_age_seconds',
  'How long the oldest open transaction has kept readers of the tape back.',
  ({ markAge }) => markAge() / 1_000,
);
figure('tape_waiting_appends', 'Appends that wait or are under way.', ({ waiting }) => waiting());

const batchSize = metricOnce(
  'tape_batch_appends',
  () =>
    new Histogram({
      name: 'tape_batch_appends',
      help: 'Appends that went to the store together.',
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    }),
);
const batchDuration = metricOnce(
  'tape_batch_duration_seconds',
  () =>
    new Histogram({
      name: 'tape_batch_duration_seconds',
      help: 'Round trip of a batch of appends.',
      buckets: [0.000_3, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1],
    }),
);
const unknownTypes = metricOnce(
  'tape_unknown_events_total',
  () =>
    new Counter({
      name: 'tape_unknown_events_total',
      help: 'Stored events left out because no room knows their type or version.',
      labelNames: ['type'],
    }),
);

/** Shows the store's figures until the answer is called. */
export const showFigures = (figures: TapeFigures): (() => void) => {
  open.add(figures);
  return () => {
    open.delete(figures);
  };
};

export const countUnknown = (type: string): void => unknownTypes.inc({ type });

export const measured = (sender: BatchSender): BatchSender => ({
  ...sender,
  send: async (appends) => {
    const started = performance.now();
    const results = await sender.send(appends);
    batchSize.observe(appends.length);
    batchDuration.observe((performance.now() - started) / 1_000);
    return results;
  },
});
