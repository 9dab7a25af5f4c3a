import type { Clock } from '@tapedeck/kernel';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { Position } from '../event.ts';
import { metricOnce } from '../metrics-registry.ts';

const gauge = (name: string, help: string): Gauge<'projection'> =>
  metricOnce(name, () => new Gauge({ name, help, labelNames: ['projection'] }));
const counter = (name: string, help: string): Counter<'projection'> =>
  metricOnce(name, () => new Counter({ name, help, labelNames: ['projection'] }));

/** The projector's figures in the process's default registry, by projection. */
export const projectorMetrics = {
  checkpoint: gauge('projection_checkpoint', 'Position up to which the read model has been wound on.'),
  lagEvents: gauge('projection_lag_events', 'Positions on the tape after the checkpoint.'),
  lagSeconds: gauge(
    'projection_lag_seconds',
    'Age of the last event folded while there are more; 0 at the end.',
  ),
  parked: gauge('projection_parked_events', 'Events put aside, waiting to be replayed.'),
  events: counter('projection_events_total', 'Events folded.'),
  leasesTakenOver: counter(
    'projection_leases_taken_over_total',
    'Leases taken over from an owner that had stopped renewing.',
  ),
  failures: counter('projection_failures_total', 'Batches that failed and were tried again.'),
  batchDuration: metricOnce(
    'projection_batch_duration_seconds',
    () =>
      new Histogram({
        name: 'projection_batch_duration_seconds',
        help: 'Time to fold and write one batch.',
        labelNames: ['projection'],
        buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3],
      }),
  ),
} as const;

/** Sets how far a read model is behind; `lastRecordedAt` is the time of the last event it has folded. */
export const observeLag = (
  projection: string,
  clock: Clock,
  position: Position,
  head: Position,
  lastRecordedAt?: string,
): void => {
  const lag = head > position ? Number(head - position) : 0;
  projectorMetrics.checkpoint.set({ projection }, Number(position));
  projectorMetrics.lagEvents.set({ projection }, lag);
  if (lag === 0) projectorMetrics.lagSeconds.set({ projection }, 0);
  else if (lastRecordedAt !== undefined) {
    const age = clock.now() - Date.parse(lastRecordedAt);
    projectorMetrics.lagSeconds.set({ projection }, Math.max(0, age / 1_000));
  }
};
