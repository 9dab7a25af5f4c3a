import { messageOf } from '@tapedeck/kernel';
import type { ClientBase, Pool } from 'pg';
import type { TapePage } from '../event-store.ts';
import type { Position, RecordedEvent } from '../event.ts';
import type { Projection } from '../projection.ts';
import { mayRefuseRow } from '../postgres-errors.ts';
import { advanceCheckpoint, type CheckpointMove } from './checkpoint.ts';
import { foldBatch, keyOf, type ParkedEvent } from './fold-batch.ts';
import { blockedKeys, parkEvents } from './parking.ts';
import { coalesce } from './rows/coalesce.ts';
import { passEmptyPage } from './pass-empty-pages.ts';
import { rowStatements, runStatements, type Statement } from './rows/row-statements.ts';
import { storedName } from './rows/tables.ts';
import type { AppliedEvent } from './same-tape.ts';
import { inTransaction } from './transaction.ts';

export type AppliedPage = Readonly<{ applied: boolean; parked: readonly ParkedEvent[] }>;

type FoldedEvents = Readonly<{ statements: readonly Statement[]; parked: readonly ParkedEvent[] }>;

/**
 * A page, folded as if no key were blocked. This can be done before the page before it is written. Without `folded` an
 * event of it changes rows in a way that the projection's tables do not have.
 */
export type PreparedPage = Readonly<{
  page: TapePage;
  folded: FoldedEvents | undefined;
  /** The event at the end of the page, or else the last one that is known. */
  lastEvent: AppliedEvent | undefined;
}>;

/**
 * Rows and checkpoint are one transaction, so the runner repeats what a crash of the server undoes and need not wait
 * for the disk. All writes name their keys: with the other plans off they use the primary key, so that the cost of a
 * batch does not depend on the size of the table or on its statistics.
 */
const beginRelaxed = `begin; set local synchronous_commit = off; set local enable_hashjoin = off;
  set local enable_mergejoin = off; set local enable_seqscan = off`;

/** A fold has returned a change that the projection's tables do not have. */
class UnwritableChange extends Error {}

const foldToStatements = (
  projection: Projection,
  events: readonly RecordedEvent[],
  blocked: Set<string>,
  suffix = '',
): FoldedEvents => {
  const { changes, parked } = foldBatch(projection, events, blocked);
  try {
    const tables = coalesce(projection.tables, changes);
    return { statements: rowStatements(tables, (table) => storedName(projection, table, suffix)), parked };
  } catch (error) {
    throw new UnwritableChange(messageOf(error), { cause: error });
  }
};

/** `lastEvent` is needed when the page ends with an event that the projection does not read. */
export const preparePage = (
  projection: Projection,
  page: TapePage,
  lastEvent: AppliedEvent | undefined = page.events.at(-1),
): PreparedPage => {
  try {
    return { page, lastEvent, folded: foldToStatements(projection, page.events, new Set()) };
  } catch {
    return { page, lastEvent, folded: undefined };
  }
};

/** Returns the error if PostgreSQL refuses one of the rows for good; nothing is then written. */
const runOrUndo = async (client: ClientBase, statements: readonly Statement[]): Promise<unknown> => {
  if (statements.length === 0) return undefined;
  // A constraint that is checked at the end of the transaction could not be attributed to an event.
  await client.query('set constraints all immediate; savepoint events');
  try {
    await runStatements(client, statements);
    await client.query('release savepoint events');
    return undefined;
  } catch (error) {
    if (!mayRefuseRow(error)) throw error;
    await client.query('rollback to savepoint events');
    return error;
  }
};

/**
 * Folds the events and writes the rows. When a row cannot be written, the events are halved again and again until the
 * event with this row is alone; it is parked.
 */
export const applyEvents = async (
  client: ClientBase,
  projection: Projection,
  events: readonly RecordedEvent[],
  blocked: Set<string>,
  suffix = '',
): Promise<readonly ParkedEvent[]> => {
  // If the events have to be folded again, those that this fold parks are not blocked yet.
  const blockedAfter = new Set(blocked);
  let refused: unknown;
  try {
    const { statements, parked } = foldToStatements(projection, events, blockedAfter, suffix);
    refused = await runOrUndo(client, statements);
    if (refused === undefined) {
      for (const key of blockedAfter) blocked.add(key);
      return parked;
    }
  } catch (error) {
    if (!(error instanceof UnwritableChange)) throw error;
    refused = error;
  }
  return applyHalves({ client, projection, events, blocked, suffix }, refused);
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
      if (isolateRefused || !folded) {
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
 * Writes rows and the checkpoint in one transaction, for events of which none has to be parked. False when another
 * process has the lease or has moved the checkpoint.
 */
export const writeRows = (
  pool: Pool,
  projection: Projection,
  statements: readonly Statement[],
  move: CheckpointMove,
): Promise<boolean> =>
  inTransaction(
    pool,
    async (client) => {
      const parkedBefore = await advanceCheckpoint(client, projection, move);
      if (parkedBefore === undefined) return false;
      if (parkedBefore > 0) throw new Error(`Projection "${projection.name}" has parked events.`);
      await runStatements(client, statements);
      return true;
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
  const events = page.events.length;
  const move = { epoch, from: position, to: page.position, lastEvent: prepared.lastEvent, events, leaseMs };
  if (events === 0) {
    return { applied: (await passEmptyPage(pool, projection, move)) !== undefined, parked: [] };
  }
  const parked = await applyInTransaction(pool, projection, prepared, move, false).catch((error: unknown) => {
    if (!mayRefuseRow(error) && !(error instanceof UnwritableChange)) throw error;
    return applyInTransaction(pool, projection, prepared, move, true);
  });
  return { applied: parked !== undefined, parked: parked ?? [] };
};
