import { setMaxListeners } from 'node:events';
import { linkedAbortController } from '../runner/abort.ts';
import type { Lease } from '../runner/checkpoint.ts';
import { observeLag, projectorMetrics } from '../runner/metrics.ts';
import { startRenewing } from '../runner/run-leased.ts';
import { assertSameTape } from '../runner/same-tape.ts';
import { leasedCommands } from './commands.ts';
import { holdLease } from './held-lease.ts';
import { takeIn } from './intake.ts';
import { reactionMetrics } from './metrics.ts';
import { countPending, promoteAllHeads } from './pending-rows.ts';
import {
  reactionOfAnotherTape,
  RunEnded,
  consumerIdOf,
  type ReactionOptions,
  type Consumer,
  type ConsumerRun,
} from './consumer.ts';
import { createTakenIn } from './taken-in.ts';
import { createWorker } from './worker.ts';

const observationIntervalMs = 2_000;

const observe = async (run: ConsumerRun): Promise<void> => {
  const { pool, store, consumer, clock } = run;
  const { name } = consumer;
  const { pending, parked, held } = await countPending(pool, name);
  run.pending = pending;
  run.held = held;
  reactionMetrics.pending.set({ reaction: name }, pending);
  projectorMetrics.parked.set({ projection: name }, parked);
  observeLag(name, clock, run.position, await store.head());
};

/** Both until one of them ends; the first error is thrown when both have ended. */
const untilOneEnds = async (end: () => void, ...works: readonly Promise<void>[]): Promise<void> => {
  const errors: unknown[] = [];
  await Promise.all(works.map((work) => work.catch((error: unknown) => errors.push(error)).finally(end)));
  const failure = errors.find((error) => !(error instanceof RunEnded));
  if (failure !== undefined) throw failure;
};

/** Runs a reaction or effect until the lease is lost or the signal is aborted, then releases the lease. */
export const runConsumer = async (
  options: ReactionOptions,
  consumer: Consumer,
  lease: Lease,
): Promise<void> => {
  const { pool, store, stopMs } = options;
  const consumerId = consumerIdOf(consumer.name);
  const { controller, unlink } = linkedAbortController(options.signal);
  const interruption = new AbortController();
  const held = holdLease(options, consumerId, lease);
  // Every attempt adds a listener.
  setMaxListeners(0, controller.signal, interruption.signal);
  let stopTimer: NodeJS.Timeout | undefined;
  controller.signal.addEventListener('abort', () => {
    stopTimer = setTimeout(() => interruption.abort(), stopMs);
  });
  const run: ConsumerRun = {
    ...options,
    signal: controller.signal,
    interrupted: interruption.signal,
    consumer,
    consumerId,
    epoch: lease.epoch,
    // Only of a reaction it matters whether its commands have left events.
    commands: leasedCommands(store, held.assertHeld, {
      repetition: consumer.kind === 'reaction' ? 'reported' : 'unknown',
    }),
    assertHeld: held.assertHeld,
    takenIn: createTakenIn(options.maxPending + options.batchSize),
    position: lease.position,
    lastEvent: lease.lastEvent,
    pending: 0,
    held: 0,
  };
  const loseLease = (): void => {
    interruption.abort();
    controller.abort();
  };
  let nextObservation = 0;
  const renew = async (): Promise<void> => {
    if (!(await held.renew())) return loseLease();
    if (performance.now() < nextObservation) return;
    nextObservation = performance.now() + observationIntervalMs;
    await promoteAllHeads(pool, consumerId.name);
    await observe(run);
  };
  const stopRenewing = startRenewing({ ...options, consumerId }, renew);
  try {
    await assertSameTape(store, consumerId, run, run.signal, reactionOfAnotherTape);
    await observe(run);
    const worker = createWorker(run);
    await untilOneEnds(() => controller.abort(), takeIn(run, worker.wake), worker.work());
  } finally {
    stopRenewing();
    clearTimeout(stopTimer);
    unlink();
    await held.release();
  }
};
