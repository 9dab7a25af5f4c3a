import { messageOf } from '@tapedeck/kernel';
import type { ClientBase, Pool } from 'pg';
import type { TapePage } from '../event-store.ts';
import type { Position, RecordedEvent } from '../event.ts';
import type { Projection } from '../projection.ts';
import { isDataError } from '../postgres-errors.ts';
import { advanceCheckpoint, type Step } from './checkpoint.ts';
import { coalesce } from './rows/coalesce.ts';
import { foldBatch, keyOf, type ParkedEvent } from './fold-batch.ts';
import { storedName } from './names.ts';
import { blockedKeys, parkEvents } from './parking.ts';
import { beginRelaxed, inTransaction } from './transaction.ts';
import { rowStatements, runStatements, type Statement } from './rows/row-statements.ts';

export type AppliedPage = Readonly<{ applied: boolean; parked: readonly ParkedEvent[] }>;

type Work = Readonly<{ statements: readonly Statement[]; parked: readonly ParkedEvent[] }>;

/** A page with the work it makes when no key is blocked, which can be found out before its turn comes. */
export type PreparedPage = Readonly<{ page: TapePage; work: Work }>;

const workOf = (
  projection: Projection,
  events: readonly RecordedEvent[],
  blocked: Set<string>,
  suffix = '',
): Work => {
  const { changes, parked } = foldBatch(projection, events, blocked);
  const tables = coalesce(projection.tables, changes);
  return { statements: rowStatements(tables, (table) => storedName(projection, table, suffix)), parked };
};

export const preparePage = (projection: Projection, page: TapePage): PreparedPage => ({
  page,
  work: workOf(projection, page.events, new Set()),
});

/**
 * Folds and writes; where PostgreSQL refuses a value, the events are halved until the ones that bring it
 * stand alone, and those are put aside.
 */
export const applyEvents = async (
  client: ClientBase,
  projection: Projection,
  events: readonly RecordedEvent[],
  blocked: Set<string>,
  suffix = '',
): Promise<readonly ParkedEvent[]> => {
  const { statements, parked } = workOf(projection, events, blocked, suffix);
  if (statements.length === 0) return parked;
  await client.query('savepoint events');
  try {
    await runStatements(client, statements);
    await client.query('release savepoint events');
    return parked;
  } catch (error) {
    if (!isDataError(error)) throw error;
    await client.query('rollback to savepoint events');
    // Those that the fold has put aside here come again; keys that were blocked before stay so.
    for (const { key, error: own } of parked) if (own !== undefined) blocked.delete(key);
    return applyHalves({ client, projection, events, blocked, suffix }, error);
  }
};

type Refused = Readonly<{
  client: ClientBase;
  projection: Projection;
  events: readonly RecordedEvent[];
  blocked: Set<string>;
  suffix: string;
}>;

const applyHalves = async (
  { client, projection, events, blocked, suffix }: Refused,
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
  { page, work }: PreparedPage,
  step: Step,
  careful: boolean,
): Promise<readonly ParkedEvent[] | undefined> =>
  inTransaction(
    pool,
    async (client) => {
      const parkedBefore = await advanceCheckpoint(client, projection, step);
      if (parkedBefore === undefined) return undefined;
      const blocked = parkedBefore > 0 ? await blockedKeys(client, projection) : new Set<string>();
      if (careful) {
        const parked = await applyEvents(client, projection, page.events, blocked);
        await parkEvents(client, projection, parked);
        return parked;
      }
      const { statements, parked } = blocked.size > 0 ? workOf(projection, page.events, blocked) : work;
      await runStatements(client, statements);
      await parkEvents(client, projection, parked);
      return parked;
    },
    beginRelaxed,
  );

/** One page's rows, parked events and checkpoint, in one transaction; not applied when somebody else was first. */
export const applyPage = async (
  pool: Pool,
  projection: Projection,
  prepared: PreparedPage,
  { epoch, position, leaseMs }: Readonly<{ epoch: string; position: Position; leaseMs: number }>,
): Promise<AppliedPage> => {
  const { page } = prepared;
  const step = { epoch, from: position, to: page.position, leaseMs };
  if (page.events.length === 0) {
    return { applied: (await advanceCheckpoint(pool, projection, step)) !== undefined, parked: [] };
  }
  const parked = await applyInTransaction(pool, projection, prepared, step, false).catch((error: unknown) => {
    if (!isDataError(error)) throw error;
    return applyInTransaction(pool, projection, prepared, step, true);
  });
  return { applied: parked !== undefined, parked: parked ?? [] };
};
