import { setTimeout as wait } from 'node:timers/promises';
import type { EventStore, Position, TapePage } from '@tapedeck/eventing';
import { foldEach } from '@tapedeck/eventing/projections';
import type pg from 'pg';
import { explorerStrategies, isOfNewerProgram, updatesOf } from '@tapedeck/search-engine/read-model';
import type { RowUpdate } from '@tapedeck/search-engine/port';
import { documentWrites } from '../index/documents.ts';
import { refreshIndex } from '../index/index-admin.ts';
import type { IndexState } from '../index/index-state.ts';
import { writeIndexState, writeRows, type BulkTarget } from './bulk.ts';
import type { IndexContents } from './fill-index.ts';
import { ensureEdges } from './scan-index.ts';

export type UpdateProgress = Readonly<{
  /** Searches see the tape up to here. */
  reached: Position;
  /** False when none of the events since the last progress changed the catalogue. */
  hasNewState: boolean;
  atEnd: boolean;
}>;

export type UpdateOptions = Readonly<{
  target: BulkTarget;
  store: EventStore;
  pool: pg.Pool;
  /** Awaited before the tape is read on. */
  onProgress: (progress: UpdateProgress) => Promise<void>;
}>;

const batchSize = 500;
const maxBufferedUpdates = 1_000;
/**
 * Between two published states. Each one empties the server's caches and must be opened by every reader: a single
 * change is published at once, frequent small ones (likes, views) are published together.
 */
const minPublishIntervalMs = 500;
/** Between two progress reports without a change of the catalogue. */
const minReportIntervalMs = 40;

/** Folds the events as the runner of the read model does: skips those that it parks. */
const foldPage = (
  { events }: TapePage,
  { logger }: BulkTarget,
  blocked: Set<string>,
): ReturnType<typeof foldEach>['folded'] => {
  const { folded, parked } = foldEach(explorerStrategies, events, blocked);
  for (const { event, key, error } of parked) {
    if (error !== undefined)
      logger.error({ position: String(event.position), key, error }, 'event not indexed');
  }
  return folded;
};

const trackDemoIds = (demoIds: Set<string>, updates: readonly RowUpdate[]): void => {
  for (const update of updates) {
    if (update.op === 'put' && update.row.demo) demoIds.add(update.row.urlId);
    else demoIds.delete(update.op === 'put' ? update.row.urlId : update.urlId);
  }
};

/** Makes everything written so far visible, together with its state. */
const publish = async (target: BulkTarget, state: IndexState): Promise<void> => {
  await writeIndexState(target, state);
  await refreshIndex(target.client, target.index);
};

/**
 * Projects the tape into the index until the signal is aborted. While the index cannot be written the tape is not
 * read on, so that at most one batch is in memory.
 */
export const updateIndex = async (
  { target, store, pool, onProgress }: UpdateOptions,
  { state: initialState, demoIds, blocked }: IndexContents,
): Promise<void> => {
  const { client, index, signal } = target;
  let state = initialState;
  let buffered: RowUpdate[] = [];
  let newest = BigInt(state.position);
  let [publishedAt, reportedAt] = [-Infinity, -Infinity];
  const waitUntil = async (time: number): Promise<void> => {
    if (time > performance.now()) await wait(time - performance.now(), undefined, { signal });
  };

  const publishEdges = async (): Promise<void> => {
    const edges = await ensureEdges(client, index, pool);
    if (edges === state.edges) return;
    state = { ...state, edges };
    await publish(target, state);
  };
  const publishBuffered = async (reached: Position, atEnd: boolean): Promise<void> => {
    await waitUntil(publishedAt + minPublishIntervalMs);
    await writeRows(target, documentWrites(buffered));
    trackDemoIds(demoIds, buffered);
    buffered = [];
    state = { ...state, position: String(newest), reached: String(reached), demo: demoIds.size > 0 };
    await publish(target, state);
    publishedAt = performance.now();
    // Not before the end: edges computed from half a catalogue would stay in use for the whole of it.
    if (atEnd) await publishEdges();
  };
  const flush = async (reached: Position, atEnd: boolean): Promise<void> => {
    const hasNewState = buffered.length > 0;
    if (hasNewState) await publishBuffered(reached, atEnd);
    else await waitUntil(reportedAt + minReportIntervalMs);
    reportedAt = performance.now();
    await onProgress({ reached, hasNewState, atEnd });
  };

  const after = BigInt(state.reached);
  const startsAtEnd = after >= (await store.head());
  if (startsAtEnd) await publishEdges();
  await onProgress({ reached: after, hasNewState: true, atEnd: startsAtEnd });
  let reached = after;
  try {
    for await (const page of store.follow({ after, batchSize, types: explorerStrategies.types, signal })) {
      reached = page.position;
      const folded = foldPage(page, target, blocked);
      buffered.push(...folded.flatMap(({ event, changes }) => updatesOf(changes, event.version)));
      newest = folded.at(-1)?.event.position ?? newest;
      const atEnd = page.position >= page.head;
      if (atEnd || buffered.length >= maxBufferedUpdates) await flush(page.position, atEnd);
    }
  } catch (error) {
    // A newer program continues; what is before its first event is shown meanwhile.
    if (isOfNewerProgram(error)) await flush(reached, false);
    throw error;
  }
};
