import type { EventStore } from '../event-store.ts';
import type { Projection } from '../projection.ts';
import { startProjector, type ProjectionDatabases } from './projector.ts';
import { waitForPosition } from './wait-for-position.ts';

export type ProjectToEndOptions = Readonly<{
  store: EventStore;
  projections: readonly Projection[];
  databases: ProjectionDatabases;
  batchSize?: number;
  /** Milliseconds after which it gives up. */
  timeoutMs?: number;
}>;

/**
 * Winds the projections on to the present end of the tape and stops: for tests and command lines.
 *
 * @example
 * await projectToEnd({ store, projections: favouriteProjections, databases });
 */
export const projectToEnd = async ({
  timeoutMs = 60_000,
  ...options
}: ProjectToEndOptions): Promise<void> => {
  const { store, projections, databases } = options;
  const end = await store.head();
  const errors: unknown[] = [];
  const keep = (details: object): void => {
    errors.push(details);
  };
  const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: keep };
  const projector = startProjector({ ...options, logger });
  try {
    for (const { name, database } of projections) {
      if (await waitForPosition(databases[database], name, end, timeoutMs)) continue;
      throw new Error(`Projection "${name}" did not reach position ${end} in time.`, { cause: errors });
    }
  } finally {
    await projector.stop();
  }
};
