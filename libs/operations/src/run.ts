import { followProjectionChanges, type ProjectionChangesOptions } from './run/projection-changes.ts';
import { followTapeDays } from './run/tape-days.ts';

/**
 * What the projector does besides projecting: executes rebuilds and roll-backs, and counts the events of each day.
 *
 * @example
 * const operations = startOperations({ store, pool, databases, projections, logger, signal });
 * await operations;
 */
export const startOperations = async (options: ProjectionChangesOptions): Promise<void> => {
  await Promise.all([followProjectionChanges(options), followTapeDays(options)]);
};
