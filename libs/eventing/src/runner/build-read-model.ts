import type { TapePage } from '../event-store.ts';
import { mayRefuseRow } from '../postgres-errors.ts';
import type { Projection, RowChange } from '../projection.ts';
import { writeRows } from './apply-page.ts';
import { foldBatch } from './fold-batch.ts';
import {
  handled,
  isOver,
  lastEventOf,
  observeWritten,
  readAhead,
  withRetries,
  type LeasedRun,
} from './leased-run.ts';
import { createCoalescer, type Coalescer } from './rows/coalesce.ts';
import { rowStatements, type Statement } from './rows/row-statements.ts';
import { storedName } from './rows/tables.ts';

/** Of what one transaction contains: they bound the memory, and for how long it locks the checkpoint. */
export type BuildLimits = Readonly<{ events: number; rows: number; characters: number }>;
const defaultLimits: BuildLimits = { events: 250_000, rows: 50_000, characters: 64_000_000 };

/** How a build has ended. */
export type BuildOutcome =
  /** The rows are those of the end of the tape. */
  | 'complete'
  /** An event or a row has to be parked: the pages after the checkpoint have to be projected one by one. */
  | 'needs-parking'
  /** Another process has the lease, or this one stops. */
  | 'over';

/** Pages of the tape in a row, as one change for each row. */
type CombinedPages = {
  readonly coalescer: Coalescer;
  events: number;
  characters: number;
  last: TapePage | undefined;
};

const noPages = (projection: Projection): CombinedPages => ({
  coalescer: createCoalescer(projection.tables),
  events: 0,
  characters: 0,
  last: undefined,
});

const charactersIn = (value: unknown): number => {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let sum = 0;
  for (const part of Object.values(value)) sum += charactersIn(part);
  return sum;
};

const charactersOf = (changes: readonly RowChange[]): number => {
  let sum = 0;
  for (const change of changes) if (change.op !== 'remove') sum += charactersIn(change.row);
  return sum;
};

/** Folds a page and adds its changes; false when an event has to be parked. */
const addPage = (projection: Projection, combined: CombinedPages, page: TapePage): boolean => {
  const { changes, parked } = foldBatch(projection, page.events, new Set());
  if (parked.length > 0) return false;
  try {
    combined.coalescer.add(changes);
  } catch {
    return false;
  }
  combined.events += page.events.length;
  combined.characters += charactersOf(changes);
  combined.last = page;
  return true;
};

const isFull = ({ events, coalescer, characters }: CombinedPages, limits: BuildLimits): boolean =>
  events >= limits.events || coalescer.rows() >= limits.rows || characters >= limits.characters;

/** Undefined when a change does not fit the tables. */
const statementsOf = (
  projection: Projection,
  { coalescer }: CombinedPages,
): readonly Statement[] | undefined => {
  try {
    return rowStatements(coalescer.tables(), (table) => storedName(projection, table));
  } catch {
    return undefined;
  }
};

/** Writes the pages and their checkpoint in one transaction; undefined when they are written. */
const writePages = async (run: LeasedRun, combined: CombinedPages): Promise<BuildOutcome | undefined> => {
  const { projection, pool, epoch, position, leaseMs } = run;
  const { last, events } = combined;
  if (!last) return undefined;
  const statements = statementsOf(projection, combined);
  if (!statements) return 'needs-parking';
  const started = performance.now();
  const lastEvent = await withRetries(run, () => lastEventOf(run, last));
  const move = { epoch, from: position, to: last.position, lastEvent, events, leaseMs };
  try {
    if (!(await withRetries(run, () => writeRows(pool, projection, statements, move)))) return 'over';
  } catch (error) {
    if (mayRefuseRow(error)) return 'needs-parking';
    throw error;
  }
  const lastRecordedAt = last.events.at(-1)?.recordedAt;
  observeWritten(run, { ...last, events, lastEvent, lastRecordedAt }, started);
  return undefined;
};

/**
 * Projects up to the end of the tape without parking anything. Changes of one row in many pages are combined, so that
 * the row is written once for all of them; pages are read and folded while earlier ones are written.
 */
export const buildReadModel = async (
  run: LeasedRun,
  pages: AsyncIterator<TapePage>,
  limits = defaultLimits,
): Promise<BuildOutcome> => {
  let combined = noPages(run.projection);
  let writing: Promise<BuildOutcome | undefined> = Promise.resolve(undefined);
  /** Starts to write what is combined, after what was combined before. */
  const write = async (): Promise<BuildOutcome | undefined> => {
    const outcome = await writing;
    if (outcome) return outcome;
    writing = handled(writePages(run, combined));
    combined = noPages(run.projection);
    return undefined;
  };
  const writeAll = async (): Promise<BuildOutcome | undefined> => (await write()) ?? (await writing);

  for (let reading = readAhead(pages); ;) {
    const { done, value: page } = await reading.catch(async (error: unknown) => {
      await writeAll();
      throw error;
    });
    if (done === true || isOver(run)) return (await writing) ?? 'over';
    reading = readAhead(pages);
    if (!addPage(run.projection, combined, page)) return (await writeAll()) ?? 'needs-parking';
    if (page.position >= page.head) return (await writeAll()) ?? 'complete';
    const outcome = isFull(combined, limits) ? await write() : undefined;
    if (outcome) return outcome;
  }
};
