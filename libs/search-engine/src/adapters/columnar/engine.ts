import type { EdgeSet, KnownCounts } from '../../catalogue/edges.ts';
import type { StoredConnection } from './writing/load-catalogue.ts';
import type { RequestOptions, ExplorerRow, RowUpdate, SearchEngine } from '../../search-port.ts';
import { answer } from './queries/search.ts';
import { brushed } from './queries/brush.ts';
import { indicatorCounts } from './queries/count-indicators.ts';
import { bestKernel } from './kernel/simd-kernel.ts';
import type { KernelFactory } from './kernel/kernel.ts';
import { listedRows } from './queries/list.ts';
import { createPace } from './queries/scheduler.ts';
import { catalogueReader } from './queries/reader.ts';
import { inlineWriter, threadWriter } from './writing/async-writer.ts';
import { similarTo } from './queries/similar.ts';
import { knownCounts, liveRows } from './snapshot/snapshot.ts';

export type EngineOptions = Readonly<{
  kernel?: KernelFactory;
  /** Who makes the snapshots: a thread, or this one, as where there is no compiled thread to start. */
  writer?: 'thread' | 'inline';
  /** The compiled `worker.ts`. */
  workerFile?: URL;
}>;

export type LoadOptions = Readonly<{
  /** Tape position of the newest change among the rows. */
  position?: bigint;
  /** Without edges the rows' own are drawn. */
  edges?: EdgeSet | null;
  /** Spares growing, when it is about right. */
  expectedRows?: number;
}>;

/**
 * The search engine in this process: columns in shared memory, one pass per question. A thread makes each state
 * of the catalogue; questions are answered here, one after the other and in pieces of some milliseconds.
 */
export type ColumnarEngine = SearchEngine &
  Readonly<{
    /** Replaces the catalogue by these rows; of several rows with one id the last stays. */
    load: (rows: Iterable<ExplorerRow>, options?: LoadOptions) => Promise<void>;
    /**
     * Replaces it by the rows of the read model in this database; answers from where on the tape they have to be
     * followed.
     */
    loadStored: (connection: StoredConnection, edges: EdgeSet | null) => Promise<bigint>;
    /** Changes the catalogue; rows not named stay. Then every new question sees them. */
    apply: (updates: readonly RowUpdate[], position: bigint) => Promise<void>;
    /** Known values per field, for the rule of `edgesOutgrown`. */
    knownCounts: () => KnownCounts;
    /** Edges for the catalogue as it is now; they take effect by `useEdges`. */
    drawEdges: (version: number) => Promise<EdgeSet>;
    useEdges: (edges: EdgeSet) => Promise<void>;
    /** Live rows. */
    size: () => number;
    position: () => bigint;
    /** True while rows of the demo catalogue are in. */
    hasDemo: () => boolean;
    /** Ends the thread; questions are still answered, from the last state. */
    close: () => Promise<void>;
  }>;

const workerFile = new URL('./writing/worker.js', import.meta.url);
/** Sources are compiled in passing, which a thread's are not. */
const usualWriter = import.meta.url.endsWith('.ts') ? 'inline' : 'thread';

/** Rows that are handed to the thread at a time: to copy them takes less than a millisecond. */
const rowsInAPiece = 200;

/**
 * @example
 * const engine = createColumnarEngine();
 * await engine.load(rows);
 * const { total } = await engine.search({ filter: toSearchFilter({ search: 'macd' }) });
 */
export const createColumnarEngine = (options: EngineOptions = {}): ColumnarEngine => {
  const pace = createPace();
  const reader = catalogueReader(options.kernel ?? bestKernel(), pace);
  const writer =
    (options.writer ?? usualWriter) === 'inline'
      ? inlineWriter(reader.adopt)
      : threadWriter(options.workerFile ?? workerFile, reader.adopt);

  const inPieces = async <T>(
    all: Iterable<T>,
    take: (piece: readonly T[]) => Promise<void>,
  ): Promise<void> => {
    let piece: T[] = [];
    for (const one of all) {
      piece.push(one);
      if (piece.length < rowsInAPiece) continue;
      await take(piece);
      piece = [];
      if (pace.isDue()) await pace.rest();
    }
    await take(piece);
  };

  return {
    search: (query, options) => reader.ask((reading) => answer(reading, query), options),
    brush: (query, options) => reader.ask((reading) => brushed(reading, query), options),
    countIndicators: (filter, options) => reader.ask((reading) => indicatorCounts(reading, filter), options),
    similar: (urlId, limit, options) => reader.ask((reading) => similarTo(reading, urlId, limit), options),
    list: (filter, order, limit, options: RequestOptions = {}) =>
      listedRows(reader, pace, { filter, page: { ...order, offset: 0, limit } }, options),
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
    drawEdges: writer.drawEdges,
    useEdges: writer.useEdges,
    size: () => liveRows(reader.newest()),
    position: () => reader.newest().position,
    hasDemo: () => reader.newest().demoRows > 0,
    close: writer.end,
  };
};
