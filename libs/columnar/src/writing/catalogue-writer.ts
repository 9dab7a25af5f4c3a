import type { ReadModelState } from '@tapedeck/eventing/projections';
import type { EdgeSet } from '@tapedeck/search-engine/catalogue';
import { facetFields } from '@tapedeck/search-engine/contract';
import type { RowUpdate } from '@tapedeck/search-engine/port';
import { facetStrideFor } from '../kernel/facet-limit.ts';
import { bufferPool } from '../snapshot/buffer-pool.ts';
import { rowStore, type RowStore } from '../snapshot/columns.ts';
import { buffersOf, type Encoding, type Snapshot } from '../snapshot/snapshot.ts';
import { applyUpdates } from './apply-updates.ts';
import { computeEdgeSet, firstState, withNewEncoding, type CatalogueState } from './catalogue-state.ts';
import { compacted, needsCompaction } from './compaction.ts';
import { loadCatalogue, type CatalogueLoader, type StoredConnection } from './load-catalogue.ts';
import { textIndexer, type TextIndexer } from './text-indexer.ts';

export type Published = Readonly<{ snapshot: Snapshot; encoding: Encoding }>;

/** Creates the snapshots, one at a time. */
export type CatalogueWriter = CatalogueLoader &
  Readonly<{
    /**
     * Publishes the rows of the read model and returns the state from which the tape has to be followed; null without a
     * read model. The rows are read by the writer itself, so that they do not pass through another thread.
     */
    loadStored: (connection: StoredConnection, edges: EdgeSet | null) => Promise<ReadModelState | null>;
    /** Adds updates to the next `apply`, so that many updates can arrive in several calls. */
    stage: (updates: readonly RowUpdate[]) => void;
    /** Publishes the catalogue with the staged updates. */
    apply: (position: bigint) => void;
    computeEdges: (version: number) => EdgeSet;
    /** Publishes the catalogue with these edges. */
    useEdges: (edges: EdgeSet) => void;
    /** To be called when a snapshot is no longer read: its memory is then reused. */
    release: (snapshot: number) => void;
  }>;

type Loading = Readonly<{ store: RowStore; indexer: TextIndexer }>;

const startLoading = (expectedRows: number): Loading => ({
  store: rowStore(expectedRows),
  indexer: textIndexer(0),
});

export const createCatalogueWriter = (publish: (published: Published) => void): CatalogueWriter => {
  const pool = bufferPool(facetStrideFor(facetFields.length));
  const inUse = new Map<number, ReadonlySet<ArrayBufferLike>>();
  let loading: Loading | null = null;
  let staged: RowUpdate[] = [];
  let state: CatalogueState | null = null;

  const reclaim = (): void => {
    const buffers = new Set<ArrayBufferLike>();
    for (const own of inUse.values()) for (const buffer of own) buffers.add(buffer);
    pool.reclaimExcept(buffers);
  };
  const publishState = (next: CatalogueState): void => {
    const { snapshot } = next;
    state = next;
    inUse.set(snapshot.id, buffersOf(snapshot));
    reclaim();
    publish({ snapshot, encoding: next.encodingWriter.encoding });
  };
  const currentState = (): CatalogueState => {
    if (!state) throw new Error('There is no catalogue yet: load rows first, or an empty list of rows.');
    return state;
  };
  const loader: CatalogueLoader = {
    begin: (expectedRows) => {
      loading = startLoading(expectedRows);
      staged = [];
    },
    add: (rows) => {
      if (!loading) throw new Error('Rows can only be added between begin and finish.');
      for (const row of rows) {
        loading.store.add(row);
        loading.indexer.add(row);
      }
    },
    finish: (position, edges) => {
      const { store, indexer } = loading ?? startLoading(0);
      loading = null;
      pool.clear();
      publishState(firstState(store, indexer.finish(pool), pool, position, edges));
    },
  };

  return {
    ...loader,
    loadStored: (connection, edges) => loadCatalogue(connection, loader, edges),
    stage: (updates) => void staged.push(...updates),
    apply: (position) => {
      const updates = staged;
      staged = [];
      const next = applyUpdates(currentState(), updates, position, pool);
      if (!needsCompaction(next.snapshot)) return publishState(next);
      pool.clear();
      publishState(compacted(next, pool));
    },
    computeEdges: (version) => computeEdgeSet(currentState().snapshot, version),
    useEdges: (edges) => {
      const { snapshot, store, removed } = currentState();
      publishState(withNewEncoding({ ...snapshot, store, removed }, edges));
    },
    release: (snapshot) => {
      inUse.delete(snapshot);
      reclaim();
    },
  };
};
