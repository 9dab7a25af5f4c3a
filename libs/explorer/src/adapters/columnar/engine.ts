import type { EdgeSet, KnownCounts } from '../../edges.ts';
import type { ExplorerRow, RowUpdate, SearchAnswer, SearchEngine, SearchQuery } from '../../search-port.ts';
import { answer, emptyScratch } from './answer.ts';
import { applyUpdates, compacted, wantsCompaction } from './apply.ts';
import { snapshotBuilder } from './build.ts';
import { brushed, indicatorCounts, similarTo } from './other-answers.ts';
import { javascriptKernel, type Kernel } from './kernel.ts';
import { drawEdges, knownCounts, nothingDerived, type Snapshot } from './snapshot.ts';

export type LoadOptions = Readonly<{
  /** Tape position of the newest change among the rows. */
  position?: bigint;
  /** Without edges the rows' own are drawn. */
  edges?: EdgeSet;
  /** Spares growing, when it is about right. */
  expectedRows?: number;
}>;

/** Rows on their way into the engine; it answers from the old ones until `finish`. */
export type Loading = Readonly<{ add: (row: ExplorerRow) => void; finish: (options?: LoadOptions) => void }>;

/** The search engine in this process: typed arrays, one pass per query, no server and no waiting. */
export type ColumnarEngine = SearchEngine &
  Readonly<{
    /** The answer at once; `search` gives the same as a promise. */
    answer: (query: SearchQuery) => SearchAnswer;
    /** Replaces the catalogue by these rows; of several rows with one id the last stays. */
    load: (rows: Iterable<ExplorerRow>, options?: LoadOptions) => void;
    /** The same in pieces, for rows that arrive in pages. */
    loading: (expectedRows?: number) => Loading;
    /** Changes the catalogue; rows not named stay. The next answer has them. */
    apply: (updates: readonly RowUpdate[], position: bigint) => void;
    /** Known values per field, for the rule of `edgesOutgrown`. */
    knownCounts: () => KnownCounts;
    /** Edges for the catalogue as it is now; they take effect by `useEdges`. */
    drawEdges: (version: number) => EdgeSet;
    useEdges: (edges: EdgeSet) => void;
    /** Live rows. */
    size: () => number;
    position: () => bigint;
    /** True while rows of the demo catalogue are in. */
    hasDemo: () => boolean;
  }>;

/**
 * @example
 * const engine = createColumnarEngine();
 * engine.load(rows);
 * engine.answer({ filter: toSearchFilter({ search: 'macd' }) }).total;
 */
export const createColumnarEngine = (kernel: Kernel = javascriptKernel()): ColumnarEngine => {
  const scratch = emptyScratch();
  let snapshot: Snapshot = snapshotBuilder().finish(0n, null);

  const loading = (expectedRows?: number): Loading => {
    const builder = snapshotBuilder(expectedRows);
    return {
      add: builder.add,
      finish: ({ position = 0n, edges } = {}) => {
        snapshot = builder.finish(position, edges ?? null);
      },
    };
  };
  const answerNow = (query: SearchQuery): SearchAnswer => answer(snapshot, query, kernel, scratch);

  return {
    answer: answerNow,
    search: (query) => Promise.resolve(answerNow(query)),
    brush: (query) => Promise.resolve(brushed(snapshot, query, kernel, scratch)),
    countIndicators: (filter) => Promise.resolve(indicatorCounts(snapshot, filter, kernel, scratch)),
    list: async function* (filter, order, limit) {
      yield answerNow({ filter, page: { ...order, offset: 0, limit } }).hits;
    },
    similar: (urlId, limit) => Promise.resolve(similarTo(snapshot, urlId, limit)),
    load: (rows, options = {}) => {
      const load = loading(options.expectedRows);
      for (const row of rows) load.add(row);
      load.finish(options);
    },
    loading,
    apply: (updates, position) => {
      const next = applyUpdates(snapshot, updates, position);
      snapshot = wantsCompaction(next) ? compacted(next) : next;
    },
    knownCounts: () => knownCounts(snapshot),
    drawEdges: (version) => drawEdges(snapshot, version),
    useEdges: (edges) => {
      snapshot = { ...snapshot, edges, derived: nothingDerived() };
    },
    size: () => snapshot.size - snapshot.dead,
    position: () => snapshot.position,
    hasDemo: () => snapshot.demoRows > 0,
  };
};
