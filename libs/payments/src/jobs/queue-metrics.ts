import type { Clock } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import type { Job } from '@tapedeck/platform/schedule';
import { Gauge } from 'prom-client';
import { queueSums } from '../queries/queue-sums.ts';

const intervalMs = 60_000;
/** A process that has handed the job over shows nothing, rather than what was true once. */
const staleMs = 5 * intervalMs;
let setAt = 0;

const gauge = <Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[],
): Gauge<Label> =>
  new Gauge({
    name,
    help,
    labelNames: [...labelNames],
    collect() {
      if (performance.now() - setAt > staleMs) this.reset();
    },
  });

const entries = gauge('payment_queue_entries', 'Entries of a queue of payments that wait.', ['queue']);
const amounts = gauge('payment_queue_amount', 'What they are about, in minor units.', ['queue', 'currency']);
const ages = gauge('payment_queue_oldest_seconds', 'Since when the oldest entry of a queue waits.', [
  'queue',
]);

/** Shows the queues of payments in the metrics of the process that runs the jobs. */
export const queueMetrics = ({
  databases,
  clock,
}: Readonly<{ databases: Databases; clock: Clock }>): Job => ({
  name: 'payment-queue-metrics',
  intervalMs,
  run: async () => {
    const found = await queueSums(databases.tapedeck);
    for (const one of [entries, amounts, ages]) one.reset();
    const oldest = new Map<string, number>();
    for (const { queue, currency, count, amount, oldestAt } of found) {
      entries.inc({ queue }, count);
      if (currency !== null) amounts.set({ queue, currency }, amount);
      oldest.set(queue, Math.min(oldest.get(queue) ?? Infinity, oldestAt.getTime()));
    }
    for (const [queue, since] of oldest) ages.set({ queue }, Math.max(0, clock.now() - since) / 1_000);
    setAt = performance.now();
  },
});
