import type { Pool } from 'pg';
import type { EventStore } from '../event-store.ts';
import type { Position } from '../event.ts';
import type { Projection } from '../projection.ts';
import { ignorePending, restorePending, retryPending } from '../reactions/pending-operations.ts';
import { ignoreParked, restoreIgnored } from '../runner/ignore-parked.ts';
import { poolOf, type ProjectionDatabases } from '../runner/projector.ts';
import { retryParked } from '../runner/retry-parked.ts';

/** Where the events are that a read model, a reaction or an effect has not handled. */
export type OperationParts = Readonly<{
  store: EventStore;
  databases: ProjectionDatabases & Readonly<{ tapedeck: Pool }>;
  /** Every other consumer is a reaction or an effect. */
  projections: readonly Projection[];
}>;

type ReadModel = Readonly<{ store: EventStore; projection: Projection; pool: Pool }>;

const readModelOf = (
  { store, databases, projections }: OperationParts,
  consumer: string,
): ReadModel | undefined => {
  const projection = projections.find(({ name }) => name === consumer);
  return projection && { store, projection, pool: poolOf(databases, projection) };
};

/**
 * Tries again the events of these positions that are parked or would be tried later; by default all. A read model
 * projects them and those behind them now, a reaction or effect begins within a second.
 *
 * @example
 * await retry({ store, databases, projections }, 'stripe-writes', [position]);
 */
export const retry = async (
  parts: OperationParts,
  consumer: string,
  positions?: readonly Position[],
): Promise<void> => {
  const readModel = readModelOf(parts, consumer);
  if (readModel) await retryParked({ ...readModel, ...(positions && { positions }) });
  else await retryPending(parts.databases.tapedeck, consumer, positions);
};

/**
 * Ignores a parked event, so that the later ones of its key are handled. Repeating it changes nothing. False when the
 * event is not parked, or waits behind another one, and was not ignored before.
 */
export const ignore = (parts: OperationParts, consumer: string, position: Position): Promise<boolean> => {
  const readModel = readModelOf(parts, consumer);
  return readModel
    ? ignoreParked(readModel, position)
    : ignorePending(parts.databases.tapedeck, consumer, position);
};

/**
 * Has an ignored event handled all the same: by a read model in its next build, because its place in the order counts, by
 * a reaction or effect now. Repeating it changes nothing. `now` is ISO 8601 UTC.
 */
export const restore = async (
  parts: OperationParts,
  consumer: string,
  position: Position,
  now: string,
): Promise<void> => {
  const readModel = readModelOf(parts, consumer);
  if (readModel) await restoreIgnored(readModel.pool, readModel.projection, position);
  else await restorePending(parts.databases.tapedeck, consumer, position, now);
};
