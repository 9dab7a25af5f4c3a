import type { ReadModelState } from '@tapedeck/eventing/projections';
import type { EdgeSet, KnownCounts } from '@tapedeck/search-engine/catalogue';
import type {
  ExplorerRow,
  RequestOptions,
  RequestSender,
  RowUpdate,
  SearchEngine,
} from '@tapedeck/search-engine/port';
import type { KernelFactory } from './kernel/kernel.ts';
import { simdKernel } from './kernel/simd-kernel.ts';
import { brush } from './queries/brush.ts';
import { countIndicators } from './queries/count-indicators.ts';
import { listRows } from './queries/list.ts';
import { createScheduler } from './queries/scheduler.ts';
import { search } from './queries/search.ts';
import { findSimilar } from './queries/similar.ts';
import { createSnapshotReader } from './queries/snapshot-reader.ts';
import type { RunRequest } from './queries/snapshot-view.ts';
import { knownCounts, liveRows } from './snapshot/snapshot.ts';
import { sameThreadWriter, workerThreadWriter } from './writing/async-writer.ts';
import type { StoredConnection } from './writing/load-catalogue.ts';

export type EngineOptions = Readonly<{
  /** For tests and the benchmark. */
  kernel?: KernelFactory;
  /** Where the snapshots are created. Without a compiled worker only this thread is possible. */
  writer?: 'worker-thread' | 'same-thread';
  /** The compiled `worker.ts`. */
  workerFile?: URL;
}>;

export type LoadOptions = Readonly<{
  /** The tape position of the newest change among the rows. */
  position?: bigint;
  /** Without edges they are computed from the rows. */
  edges?: EdgeSet | null;
  /** An estimate avoids growing. */
  expectedRows?: number;
}>;

/**
 * The search engine in this process: columns in shared memory, one pass per request. A worker thread creates each state
 * of the catalogue; requests are answered in this thread, one at a time and in time slices of some milliseconds.
 */
export type ColumnarEngine = SearchEngine &
  Readonly<{
    /** Replaces the catalogue by these rows; of several rows with one id the last one counts. */
    load: (rows: Iterable<ExplorerRow>, options?: LoadOptions) => Promise<void>;
    /**
     * Replaces the catalogue by the rows of the read model in this database, and returns the state from which the tape
     * has to be followed; null without a read model.
     */
    loadStored: (connection: StoredConnection, edges: EdgeSet | null) => Promise<ReadModelState | null>;
    /** Updates the catalogue; rows that are not named stay. New requests see the updates when the promise resolves. */
    apply: (updates: readonly RowUpdate[], position: bigint) => Promise<void>;
    /** The number of known values per field, for `edgesOutgrown`. */
    knownCounts: () => KnownCounts;
    /** Computes edges for the current catalogue; they take effect by `useEdges`. */
    computeEdges: (version: number) => Promise<EdgeSet>;
    useEdges: (edges: EdgeSet) => Promise<void>;
    /** The number of live rows. */
    size: () => number;
    position: () => bigint;
    /** True while the catalogue contains rows of the demo catalogue. */
    hasDemo: () => boolean;
    /** Whether such a request that arrived now would be refused. */
    isBusy: (sender: RequestSender) => boolean;
    /** Ends the worker thread; requests are still answered, from the last state. */
    close: () => Promise<void>;
  }>;

const compiledWorker = new URL('./writing/worker.js', import.meta.url);
/** Tests run from the sources, from which no thread can be started. */
const defaultWriter = import.meta.url.endsWith('.ts') ? 'same-thread' : 'worker-thread';

/** Rows per message to the worker thread: copying them takes less than a millisecond. */
const rowsPerPiece = 200;

/**
 * @throws Error when this runtime has no WebAssembly SIMD, and when there are more facets than the kernel counts.
 * @example
 * const engine = createColumnarEngine();
 * await engine.load(rows);
 * const { total } = await engine.search({ filter: toSearchFilter({ search: 'macd' }) });
 */
export const createColumnarEngine = (options: EngineOptions = {}): ColumnarEngine => {
  const scheduler = createScheduler();
  const reader = createSnapshotReader(options.kernel ?? simdKernel, scheduler);
  const writer =
    (options.writer ?? defaultWriter) === 'same-thread'
      ? sameThreadWriter(reader.onPublished)
      : workerThreadWriter(options.workerFile ?? compiledWorker, reader.onPublished);

  const run: RunRequest = async (request, requestOptions) => {
    const { view, close } = await reader.open(requestOptions);
    try {
      return await request(view);
    } finally {
      close();
    }
  };
  const inPieces = async <T>(
    all: Iterable<T>,
    take: (piece: readonly T[]) => Promise<void>,
  ): Promise<void> => {
    let piece: T[] = [];
    for (const one of all) {
      piece.push(one);
      if (piece.length < rowsPerPiece) continue;
      await take(piece);
      piece = [];
      if (scheduler.shouldYield()) await scheduler.yieldToEventLoop();
    }
    await take(piece);
  };

  return {
    search: (query, options) => run((view) => search(view, query), options),
    brush: (query, options) => run((view) => brush(view, query), options),
    countIndicators: (filter, options) => run((view) => countIndicators(view, filter), options),
    similar: (urlId, limit, options) => run((view) => findSimilar(view, urlId, limit), options),
    list: (filter, order, limit, options: RequestOptions = {}) =>
      listRows(run, scheduler, { filter, page: { ...order, offset: 0, limit } }, options),
    load: async (rows, { position = 0n, edges = null, expectedRows = 1_024 } = {}) => {
      await writer.begin(expectedRows);
      await inPieces(rows, writer.add);
      await writer.finish(position, edges);
    },
    loadStored: writer.loadStored,
    apply: async (updates, position) => {
      await inPieces(updates, writer.stage);
      await writer.apply(position);
    },
    knownCounts: () => knownCounts(reader.newest()),
    computeEdges: writer.computeEdges,
    useEdges: writer.useEdges,
    size: () => liveRows(reader.newest()),
    position: () => reader.newest().position,
    isBusy: reader.isBusy,
    hasDemo: () => reader.newest().demoRows > 0,
    close: writer.end,
  };
};
