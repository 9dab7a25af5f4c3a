import { setTimeout as wait } from 'node:timers/promises';
import type { EventStore, Position, RecordedEvent, TapePage } from '@tapedeck/eventing';
import type pg from 'pg';
import { updatesOf } from '../../../projections/explorer-strategies.ts';
import { explorerStrategies } from '../../../projections/explorer-strategies.ts';
import type { RowUpdate } from '../../../search-port.ts';
import { writeRows, writeStanding, type Writing } from './bulk.ts';
import { writesOf } from '../index/documents.ts';
import { refreshIndex } from '../index/index-admin.ts';
import type { CatalogueStanding } from '../snapshots.ts';
import type { WrittenIndex } from './fill-index.ts';
import { reviewEdges } from './index-contents.ts';

export type Progress = Readonly<{
  /** The index has the tape up to here, and shows it. */
  reached: Position;
  /** Whether it shows something else than before. */
  changed: boolean;
  atEnd: boolean;
}>;

export type FollowingTape = Readonly<{
  writing: Writing;
  store: EventStore;
  pool: pg.Pool;
  /** Done before the tape is read on. */
  tell: (progress: Progress) => Promise<void>;
}>;

const batchSize = 500;
const mostGathered = 1_000;
/**
 * Milliseconds between two states of the index. Every state empties caches and makes every reader open it anew:
 * a single change is seen at once, many small ones (likes, views) together.
 */
const shortestState = 500;
/** Milliseconds between two notes that the tape has moved over events of other kinds. */
const shortestNote = 40;

const updatesIn = ({ events }: TapePage, { logger }: Writing): readonly RowUpdate[] =>
  events.flatMap((event: RecordedEvent) => {
    try {
      return updatesOf(explorerStrategies.fold([event]), event.version);
    } catch (error) {
      const { position, stream } = event;
      logger.error({ err: error, position: String(position), stream }, 'event left out of the index');
      return [];
    }
  });

const noteDemo = (demo: Set<string>, updates: readonly RowUpdate[]): void => {
  for (const update of updates) {
    if (update.op === 'put' && update.row.demo) demo.add(update.row.urlId);
    else demo.delete(update.op === 'put' ? update.row.urlId : update.urlId);
  }
};

/** Writes the standing and makes everything up to it visible. */
const show = async (writing: Writing, standing: CatalogueStanding): Promise<void> => {
  await writeStanding(writing, standing);
  await refreshIndex(writing.client, writing.index);
};

/**
 * Keeps the index at the end of the tape until the signal is aborted. While the index cannot be written the tape
 * is not read on: what is in memory stays one batch.
 */
export const followTape = async (
  { writing, store, pool, tell }: FollowingTape,
  { standing: start, demo }: WrittenIndex,
): Promise<void> => {
  const { client, index, signal } = writing;
  let standing = start;
  let gathered: RowUpdate[] = [];
  let newest = BigInt(standing.position);
  let [shownAt, toldAt] = [-Infinity, -Infinity];
  const pauseUntil = async (time: number): Promise<void> => {
    if (time > performance.now()) await wait(time - performance.now(), undefined, { signal });
  };

  const showGathered = async (reached: Position, atEnd: boolean): Promise<void> => {
    await pauseUntil(shownAt + shortestState);
    await writeRows(writing, writesOf(gathered));
    noteDemo(demo, gathered);
    gathered = [];
    standing = { ...standing, position: String(newest), reached: String(reached), demo: demo.size > 0 };
    await show(writing, standing);
    shownAt = performance.now();
    // Edges drawn from half a catalogue would stay for the whole of it.
    if (atEnd) await review();
  };
  const review = async (): Promise<void> => {
    const edges = await reviewEdges(client, index, pool);
    if (edges === standing.edges) return;
    standing = { ...standing, edges };
    await show(writing, standing);
  };
  const settle = async (reached: Position, atEnd: boolean): Promise<void> => {
    const changed = gathered.length > 0;
    if (changed) await showGathered(reached, atEnd);
    else await pauseUntil(toldAt + shortestNote);
    toldAt = performance.now();
    await tell({ reached, changed, atEnd });
  };

  const after = BigInt(start.reached);
  const beginsAtEnd = after >= (await store.head());
  if (beginsAtEnd) await review();
  await tell({ reached: after, changed: true, atEnd: beginsAtEnd });
  for await (const page of store.follow({ after, batchSize, types: explorerStrategies.types, signal })) {
    gathered.push(...updatesIn(page, writing));
    newest = page.events.at(-1)?.position ?? newest;
    const atEnd = page.position >= page.head;
    if (atEnd || gathered.length >= mostGathered) await settle(page.position, atEnd);
  }
};
