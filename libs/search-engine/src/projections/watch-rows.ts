import { setTimeout as wait } from 'node:timers/promises';
import type { Position } from '@tapedeck/eventing';
import { readModelState, type ProjectorLogger, type ReadModelState } from '@tapedeck/eventing/projections';
import { DomainError } from '@tapedeck/kernel';
import type pg from 'pg';
import { explorerStrategies } from './explorer-strategies.ts';

/** The state from which rows were copied, as far as it tells whether the rows have changed since. */
export type CopiedState = Pick<ReadModelState, 'position' | 'blockedKeys' | 'parkingChanges'>;

/** Whether the tape cannot be read on because a newer program has written the next event. */
export const isOfNewerProgram = (error: unknown): boolean =>
  error instanceof DomainError && error.code === 'EVENT_UNKNOWN';

/** Without a read model everything comes from the tape. */
export const emptyState: CopiedState = { position: 0n, blockedKeys: [], parkingChanges: 0n };

/**
 * Whether the rows have to be copied again: an event was parked or replayed, or the read model was built again. Not before
 * the rows are complete or have caught up with the copy, which would otherwise lose what it already has.
 */
export const areRowsReplaced = (
  { parkingChanges }: Pick<CopiedState, 'parkingChanges'>,
  state: ReadModelState,
  reached: Position,
): boolean => state.parkingChanges !== parkingChanges && (state.isComplete || state.position >= reached);

export type RowsWatch = Readonly<{
  catalogue: pg.Pool;
  copied: CopiedState;
  /** How far the copy has followed the tape. */
  reached: () => Position;
  /** Whether the copy skips the events of a key. */
  isBlocked: () => boolean;
  logger: ProjectorLogger;
  signal: AbortSignal;
}>;

const pollIntervalMs = 250;

/** Polls the state of the read model until the condition holds or the signal is aborted. */
const pollUntil = async (
  { catalogue, logger, signal }: Pick<RowsWatch, 'catalogue' | 'logger' | 'signal'>,
  isDue: () => boolean,
  condition: (state: ReadModelState) => boolean,
): Promise<void> => {
  for (; !signal.aborted; await wait(pollIntervalMs, undefined, { signal }).catch(() => {})) {
    if (!isDue()) continue;
    try {
      const state = await readModelState(catalogue, explorerStrategies);
      if (state && condition(state)) return;
    } catch (error) {
      logger.warn({ err: error }, 'the search engine cannot read the state of the read model');
    }
  }
};

/**
 * Resolves when the rows have to be copied again, or the signal is aborted. Asks the database only while the projector
 * may still park or replay an event that the copy has passed.
 */
export const whenRowsAreReplaced = (watch: RowsWatch): Promise<void> => {
  const { copied, reached, isBlocked } = watch;
  let projected = copied.position;
  return pollUntil(
    watch,
    () => isBlocked() || projected < reached(),
    (state) => {
      projected = state.position;
      return areRowsReplaced(copied, state, reached());
    },
  );
};

/** Resolves when the rows contain more than the copy, or the signal is aborted. */
export const whenRowsAreAhead = (watch: RowsWatch): Promise<void> =>
  pollUntil(
    watch,
    () => true,
    ({ position }) => position > watch.reached(),
  );
