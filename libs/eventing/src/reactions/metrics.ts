import { Counter, Gauge, Histogram } from 'prom-client';

/** Further metrics of reactions and effects; those of checkpoints and leases are the metrics of projections. */
export const reactionMetrics = {
  pending: new Gauge({
    name: 'reaction_pending_events',
    help: 'Events that are stored until they are handled, parked ones included.',
    labelNames: ['reaction'] as const,
  }),
  attempts: new Counter({
    name: 'reaction_attempts_total',
    help: 'Attempts to handle an event, by outcome.',
    labelNames: ['reaction', 'outcome'] as const,
  }),
  attemptDuration: new Histogram({
    name: 'reaction_attempt_duration_seconds',
    help: 'Time of one attempt to handle an event.',
    labelNames: ['reaction'] as const,
    buckets: [0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30],
  }),
  dueSent: new Counter({
    name: 'due_dates_sent_total',
    help: 'Due dates whose commands were sent, by outcome.',
    labelNames: ['name', 'outcome'] as const,
  }),
} as const;
