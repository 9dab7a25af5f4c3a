import { DomainError, type Clock } from '@tapedeck/kernel';
import type { Pool } from 'pg';
import type { EventStore } from '../event-store.ts';
import type { Position, RecordedEvent } from '../event.ts';
import type { AfterReplay, Dispatch, Effect, EffectContext, Reaction } from '../reaction.ts';
import { inTransaction } from '../runner/transaction.ts';
import type { ProjectorLogger } from '../runner/run-leased.ts';
import type { AppliedEvent } from '../runner/same-tape.ts';
import type { ConsumerId } from '../runner/consumer-id.ts';
import type { Commands } from './commands.ts';
import type { TakenIn } from './taken-in.ts';
import { beginIndexed } from './pending-rows.ts';

/** A reaction or an effect, as the runner sees it. */
export type Consumer = Pick<Reaction, 'name' | 'types' | 'keyOf' | 'concerns' | 'begins' | 'form'> &
  Readonly<{
    kind: 'reaction' | 'effect';
    handle: (event: RecordedEvent, context: EffectContext) => Promise<readonly Dispatch[]>;
    handleTogether?: Effect['runTogether'];
    afterReplay: (event: RecordedEvent) => AfterReplay;
  }>;

export const consumerOfReaction = ({ react, ...rest }: Reaction): Consumer => ({
  ...rest,
  kind: 'reaction',
  afterReplay: () => 'run',
  handle: async (event, { read }) => react(event, read),
});

export const consumerOfEffect = ({ run, runTogether, afterReplay, ...rest }: Effect): Consumer => ({
  ...rest,
  kind: 'effect',
  afterReplay: typeof afterReplay === 'function' ? afterReplay : () => afterReplay,
  handle: run,
  ...(runTogether ? { handleTogether: runTogether } : {}),
});

/** The checkpoints of reactions have a version because those of projections do. */
export const consumerIdOf = (name: string): ConsumerId => ({ name, version: 1 });

/** Points between two steps at which a process may die. */
export type ReactionPoint =
  /** A reaction's page was read, and nothing of it was handled. */
  | 'page-read'
  /** Its commands were executed, and the checkpoint was not moved. */
  | 'page-handled'
  /** An effect's event is stored together with its checkpoint, and the effect was not run for it. */
  | 'taken-in'
  /** The effect has run, and its commands were not executed. */
  | 'effect-ran'
  /** They were executed, and the event is still stored. */
  | 'effect-recorded'
  /** The commands of due dates were executed, and the next ones were not looked up. */
  | 'due-sent';

export type ReactionOptions = Readonly<{
  store: EventStore;
  /** The database of the tape, which contains the checkpoints and the pending events. */
  pool: Pool;
  clock: Clock;
  logger: ProjectorLogger;
  owner: string;
  leaseMs: number;
  /** Maximum number of events per move of the checkpoint. */
  batchSize: number;
  /** How many keys are handled at the same time. */
  concurrency: number;
  /** After this time an attempt's signal is aborted, and the attempt has failed. */
  attemptMs: number;
  /** After how many attempts an event is parked. */
  maxAttempts: number;
  minBackoffMs: number;
  maxBackoffMs: number;
  /** With more events that wait for work no further ones are read. What waits for a person does not count. */
  maxPending: number;
  /** How long attempts may go on after the signal to stop. */
  stopMs: number;
  /** Called between two steps; what it waits for, the runner waits for. */
  onPoint: (point: ReactionPoint, name: string) => Promise<void> | void;
  signal: AbortSignal;
}>;

/** A run of a consumer by the process that has its lease. */
export type ConsumerRun = ReactionOptions & {
  readonly consumer: Consumer;
  readonly consumerId: ConsumerId;
  readonly epoch: string;
  readonly commands: Commands;
  /** Events that were taken in and wait for their first attempt, so that they need not be read again. */
  readonly takenIn: TakenIn;
  /** Throws RunEnded as soon as another process may have the lease. */
  readonly assertHeld: () => void;
  /** Aborted when attempts have to end: when the lease is lost, or some time after the signal to stop. */
  readonly interrupted: AbortSignal;
  position: Position;
  lastEvent: AppliedEvent | undefined;
  pending: number;
  /** Those among the pending ones that a person has to decide on: parked, or behind a parked one of their key. */
  held: number;
};

/** The run is over: another process has the lease, or this one stops. */
export class RunEnded extends Error {}

/** Runs the steps in a transaction that no successor's can precede. @throws RunEnded when another process has the lease */
export const underLease = (
  { pool, consumerId, epoch }: Pick<ConsumerRun, 'pool' | 'consumerId' | 'epoch'>,
  steps: Parameters<typeof inTransaction<void>>[1],
): Promise<void> =>
  inTransaction(
    pool,
    async (client) => {
      const { rowCount } = await client.query(
        `select 1 from projection_checkpoints where projection = $1 and version = $2 and lease_epoch = $3
       for no key update`,
        [consumerId.name, consumerId.version, epoch],
      );
      if (rowCount !== 1) throw new RunEnded('another process has the lease');
      await steps(client);
    },
    beginIndexed,
  );

export const reactionOfAnotherTape = ({ name, version }: ConsumerId, reason: string): DomainError =>
  new DomainError(
    'unavailable',
    'REACTION_OF_ANOTHER_TAPE',
    `${name} has handled events of another tape: ${reason}. Restore the tape and its database from the same backup. If what it has caused is on this tape, run: delete from projection_checkpoints where projection = '${name}' and version = ${version}; it then begins again.`,
  );
