import { systemClock, type Clock } from '@tapedeck/kernel';
import { setMaxListeners } from 'node:events';
import type { Pool } from 'pg';
import type { EventStore } from '../event-store.ts';
import type { DueDates, Effect, Reaction } from '../reaction.ts';
import { linkedAbortController } from '../runner/abort.ts';
import { leaseOwner, poolOf, type ProjectionDatabases } from '../runner/projector.ts';
import { runLeased, silentLogger, type ProjectorLogger } from '../runner/run-leased.ts';
import { runDueDates, type DueDateOptions } from './due-dates.ts';
import { registerCheckpoint } from './register.ts';
import { runConsumer } from './run-consumer.ts';
import {
  consumerIdOf,
  consumerOfEffect,
  consumerOfReaction,
  type ReactionOptions,
  type Consumer,
} from './consumer.ts';

type Tuning = Omit<ReactionOptions, 'store' | 'pool' | 'clock' | 'logger' | 'owner' | 'signal'> &
  Pick<DueDateOptions, 'dueIntervalMs' | 'knowledgeMs'>;

export type StartReactionsOptions = Readonly<{
  store: EventStore;
  /** The database of the tape. */
  pool: Pool;
  /** Those of the projections with due dates; only `pool`, as `tapedeck`, by default. */
  databases?: ProjectionDatabases;
  reactions?: readonly Reaction[];
  effects?: readonly Effect[];
  dueDates?: readonly DueDates[];
  clock?: Clock;
  logger?: ProjectorLogger;
  signal?: AbortSignal;
}> &
  Partial<Tuning>;

export type RunningReactions = Readonly<{
  /** Resolves when everything has stopped and released its lease. */
  stopped: Promise<void>;
  stop: () => Promise<void>;
}>;

const defaults: Tuning = {
  leaseMs: 6_000,
  batchSize: 500,
  concurrency: 64,
  attemptMs: 30_000,
  maxAttempts: 30,
  minBackoffMs: 200,
  maxBackoffMs: 300_000,
  maxPending: 10_000,
  stopMs: 2_000,
  dueIntervalMs: 250,
  knowledgeMs: 30_000,
  onPoint: () => {},
};

const assertDistinct = (names: readonly string[]): void => {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return;
  throw new Error(`Two reactions, effects or due dates have the name "${twice}": rename one.`);
};

const startConsumer = (options: ReactionOptions, consumer: Consumer): Promise<void> => {
  const { name, kind, begins = 'first' } = consumer;
  return runLeased(
    { ...options, consumerId: consumerIdOf(name) },
    () => registerCheckpoint(options, name, kind, begins),
    (lease) => runConsumer(options, consumer, lease),
  );
};

const startDueDates = (options: DueDateOptions): Promise<void> => {
  const { name } = options.dueDates;
  return runLeased(
    { ...options, consumerId: consumerIdOf(name) },
    () => registerCheckpoint(options, name, 'due-dates', 'first'),
    (lease) => runDueDates(options, lease),
  );
};

/**
 * Runs reactions, effects and due dates until it is stopped. Several processes may run the same ones: a lease gives each to
 * one of them.
 *
 * @example
 * const running = startReactions({ store, pool: databases.tapedeck, databases, reactions, effects, dueDates, clock, signal });
 * await running.stopped;
 */
export const startReactions = ({
  store,
  pool,
  databases = { tapedeck: pool },
  reactions = [],
  effects = [],
  dueDates = [],
  clock = systemClock,
  logger = silentLogger,
  signal: callersSignal,
  ...tuning
}: StartReactionsOptions): RunningReactions => {
  const consumers = [...reactions.map(consumerOfReaction), ...effects.map(consumerOfEffect)];
  const names = consumers.map(({ name }) => name);
  assertDistinct([...names, ...dueDates.map(({ name }) => name)]);
  const { controller, unlink } = linkedAbortController(callersSignal);
  const { signal } = controller;
  setMaxListeners(0, signal);
  const options = { ...defaults, ...tuning, store, pool, clock, logger, owner: leaseOwner(), signal };
  const runs = [
    ...consumers.map((consumer) => startConsumer(options, consumer)),
    ...dueDates.map((one) => {
      const projectionPool = poolOf(databases, {
        name: one.projection,
        database: one.database ?? 'tapedeck',
      });
      return startDueDates({ ...options, dueDates: one, projectionPool, reactions: names });
    }),
  ];
  const stopped = Promise.all(runs).then(unlink);
  return {
    stopped,
    stop: () => {
      controller.abort();
      return stopped;
    },
  };
};
