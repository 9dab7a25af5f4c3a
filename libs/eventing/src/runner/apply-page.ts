import { messageOf } from '@tapedeck/kernel';
import type { ClientBase, Pool } from 'pg';
import type { TapePage } from '../event-store.ts';
import type { Position, RecordedEvent } from '../event.ts';
import type { Projection } from '../projection.ts';
import { isDataError } from '../postgres-errors.ts';
import { advanceCheckpoint, type CheckpointMove } from './checkpoint.ts';
import { foldBatch, keyOf, type ParkedEvent } from './fold-batch.ts';
import { blockedKeys, parkEvents } from './parking.ts';
import { coalesce } from './rows/coalesce.ts';
import { rowStatements, runStatements, type Statement } from './rows/row-statements.ts';
import { storedName } from './rows/tables.ts';
import { inTransaction } from './transaction.ts';

export type AppliedPage = Readonly<{ applied: boolean; parked: readonly ParkedEvent[] }>;

type FoldedEvents = Readonly<{ statements: readonly Statement[]; parked: readonly ParkedEvent[] }>;

/** A page, folded as if no key were blocked. This can be done before the page before it is written. */
export type PreparedPage = Readonly<{ page: TapePage; folded: FoldedEvents }>;

/**
 * Rows and checkpoint are one transaction, so the runner repeats what a crash of the server undoes and need not wait
 * for the disk. All writes name their keys: with the other plans off they use the primary key, so that the cost of a
 * batch does not depend on the size of the table or on its statistics.
 */
const beginRelaxed = `begin; set local synchronous_commit = off; set local enable_hashjoin = off;
  set local enable_mergejoin = off; set local enable_seqscan = off`;

const foldToStatements = (
  projection: Projection,
  events: readonly RecordedEvent[],
  blocked: Set<string>,
  suffix = '',
): FoldedEvents => {
  const { changes, parked } = foldBatch(projection, events, blocked);
  const tables = coalesce(projection.tables, changes);
  return { statements: rowStatements(tables, (table) => storedName(projection, table, suffix)), parked };
};

export const preparePage = (projection: Projection, page: TapePage): PreparedPage => ({
  page,
  folded: foldToStatements(projection, page.events, new Set()),
});

/**
 * Folds the events and writes the rows. When PostgreSQL refuses a value, the events are halved again and again until
 * the event with this value is alone; it is parked.
 */
export const applyEvents = async (
  client: ClientBase,
  projection: Projection,
  events: readonly RecordedEvent[],
  blocked: Set<string>,
  suffix = '',
): Promise<readonly ParkedEvent[]> => {
  const { statements, parked } = foldToStatements(projection, events, blocked, suffix);
  if (statements.length === 0) return parked;
  await client.query('savepoint events');
  try {
    await runStatements(client, statements);
    await client.query('release savepoint events');
    return parked;
  } catch (error) {
    if (!isDataError(error)) throw error;
    await client.query('rollback to savepoint events');
    // The events parked by this fold will be folded again; keys that were blocked before stay blocked.
    for (const { key, error: foldError } of parked) if (foldError !== undefined) blocked.delete(key);
    return applyHalves({ client, projection, events, blocked, suffix }, error);
  }
};

type RefusedEvents = Readonly<{
  client: ClientBase;
  projection: Projection;
  events: readonly RecordedEvent[];
  blocked: Set<string>;
  suffix: string;
}>;

const applyHalves = async (
  { client, projection, events, blocked, suffix }: RefusedEvents,
  error: unknown,
): Promise<readonly ParkedEvent[]> => {
  const [first] = events;
  if (first && events.length === 1) {
    const key = keyOf(projection, first);
    blocked.add(key);
    return [{ event: first, key, error: messageOf(error) }];
  }
  const middle = Math.ceil(events.length / 2);
  const before = await applyEvents(client, projection, events.slice(0, middle), blocked, suffix);
  const after = await applyEvents(client, projection, events.slice(middle), blocked, suffix);
  return [...before, ...after];
};

const applyInTransaction = (
  pool: Pool,
  projection: Projection,
  { page, folded }: PreparedPage,
  move: CheckpointMove,
  isolateRefused: boolean,
): Promise<readonly ParkedEvent[] | undefined> =>
  inTransaction(
    pool,
    async (client) => {
      const parkedBefore = await advanceCheckpoint(client, projection, move);
      if (parkedBefore === undefined) return undefined;
      const blocked = parkedBefore > 0 ? await blockedKeys(client, projection) : new Set<string>();
      if (isolateRefused) {
        const parked = await applyEvents(client, projection, page.events, blocked);
        await parkEvents(client, projection, parked);
        return parked;
      }
      const { statements, parked } =
        blocked.size > 0 ? foldToStatements(projection, page.events, blocked) : folded;
      await runStatements(client, statements);
      await parkEvents(client, projection, parked);
      return parked;
    },
    beginRelaxed,
  );

/**
 * Writes the rows, parked events and checkpoint of a page in one transaction. Not applied when another process has
 * the lease or has moved the checkpoint.
 */
export const applyPage = async (
  pool: Pool,
  projection: Projection,
  prepared: PreparedPage,
  { epoch, position, leaseMs }: Readonly<{ epoch: string; position: Position; leaseMs: number }>,
): Promise<AppliedPage> => {
  const { page } = prepared;
  const move = { epoch, from: position, to: page.position, leaseMs };
  if (page.events.length === 0) {
    return { applied: (await advanceCheckpoint(pool, projection, move)) !== undefined, parked: [] };
  }
  const parked = await applyInTransaction(pool, projection, prepared, move, false).catch((error: unknown) => {
    if (!isDataError(error)) throw error;
    return applyInTransaction(pool, projection, prepared, move, true);
  });
  return { applied: parked !== undefined, parked: parked ?? [] };
};
