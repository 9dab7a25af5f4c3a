import type { Clock } from '@tapedeck/kernel';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { Position } from '../event.ts';

const labelNames = ['projection'] as const;
const gauge = (name: string, help: string): Gauge<'projection'> => new Gauge({ name, help, labelNames });
const counter = (name: string, help: string): Counter<'projection'> =>
  new Counter({ name, help, labelNames });

/** The metrics of the projector, in the default registry, with the projection as label. */
export const projectorMetrics = {
  checkpoint: gauge('projection_checkpoint', 'Position up to which the read model is projected.'),
  lagEvents: gauge('projection_lag_events', 'Positions on the tape after the checkpoint.'),
  lagSeconds: gauge(
    'projection_lag_seconds',
    'Age of the last folded event while there are more; 0 at the end of the tape.',
  ),
  parked: gauge('projection_parked_events', 'Parked events.'),
  ofAnotherTape: gauge(
    'projection_of_another_tape',
    '1 while the read model is not projected because it is of another tape: it must be rebuilt.',
  ),
  events: counter('projection_events_total', 'Events folded.'),
  leasesTakenOver: counter(
    'projection_leases_taken_over_total',
    'Leases taken over from an owner that had stopped renewing them.',
  ),
  failures: counter('projection_failures_total', 'Batches and runs that failed and were retried.'),
  batchDuration: new Histogram({
    name: 'projection_batch_duration_seconds',
    help: 'Time to fold and write one batch.',
    labelNames,
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3],
  }),
} as const;

/** Sets the checkpoint and lag metrics; `lastRecordedAt` is the time of the last folded event. */
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
