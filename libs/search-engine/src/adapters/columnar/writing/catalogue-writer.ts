import type { EdgeSet } from '../../../catalogue/edges.ts';
import type { ExplorerRow, RowUpdate } from '../../../search-port.ts';
import { applyUpdates } from './apply-updates.ts';
import { bufferPool } from '../snapshot/buffer-pool.ts';
import { drawnEdges, firstState, withNewGeneration, type CatalogueState } from './catalogue-state.ts';
import { rowStore, type RowStore } from '../snapshot/columns.ts';
import { compacted, wantsCompaction } from './compaction.ts';
import { buffersOf, type Generation, type Snapshot } from '../snapshot/snapshot.ts';
import { textIndexer, type TextIndexer } from './text-indexer.ts';

export type Published = Readonly<{ snapshot: Snapshot; generation: Generation }>;

/** Makes the snapshots, one at a time; lives where its work delays nobody. */
export type CatalogueWriter = Readonly<{
  /** A new catalogue begins; the present one stays until `finish`. */
  begin: (expectedRows: number) => void;
  add: (rows: readonly ExplorerRow[]) => void;
  /** Publishes the new catalogue; `edges` null: drawn from its rows, as version 0. */
  finish: (position: bigint, edges: EdgeSet | null) => void;
  /** Updates for the next `apply`, so that many of them need not come at once. */
  stage: (updates: readonly RowUpdate[]) => void;
  /** Publishes the catalogue with what was staged. */
  apply: (position: bigint) => void;
  drawEdges: (version: number) => EdgeSet;
  /** Publishes the catalogue with these edges. */
  useEdges: (edges: EdgeSet) => void;
  /** Nobody reads this snapshot any longer: its memory may be written again. */
  release: (snapshot: number) => void;
}>;

type Loading = Readonly<{ store: RowStore; indexer: TextIndexer }>;

const startLoading = (expectedRows: number): Loading => ({
  store: rowStore(expectedRows),
  indexer: textIndexer(0),
});

export const createCatalogueWriter = (publish: (published: Published) => void): CatalogueWriter => {
  const pool = bufferPool();
  const inUse = new Map<number, ReadonlySet<ArrayBufferLike>>();
  let loading: Loading | null = null;
  let staged: RowUpdate[] = [];
  let state: CatalogueState | null = null;

  const reclaim = (): void => {
    const buffers = new Set<ArrayBufferLike>();
    for (const own of inUse.values()) for (const buffer of own) buffers.add(buffer);
    pool.keepOnly(buffers);
  };
  const become = (next: CatalogueState): void => {
    const { snapshot } = next;
    state = next;
    inUse.set(snapshot.id, buffersOf(snapshot));
    reclaim();
    publish({ snapshot, generation: next.generation.generation });
  };
  const present = (): CatalogueState => {
    if (!state) throw new Error('There is no catalogue yet: load rows first, if only none.');
    return state;
  };

  return {
    begin: (expectedRows) => {
      loading = startLoading(expectedRows);
      staged = [];
    },
    add: (rows) => {
      if (!loading) throw new Error('Rows belong between begin and finish.');
      for (const row of rows) {
        loading.store.add(row);
        loading.indexer.add(row);
      }
    },
    finish: (position, edges) => {
      const { store, indexer } = loading ?? startLoading(0);
      loading = null;
      pool.clear();
      become(firstState(store, indexer.finish(pool), pool, position, edges));
    },
    stage: (updates) => void staged.push(...updates),
    apply: (position) => {
      const updates = staged;
      staged = [];
      const next = applyUpdates(present(), updates, position, pool);
      if (!wantsCompaction(next.snapshot)) return become(next);
      pool.clear();
      become(compacted(next, pool));
    },
    drawEdges: (version) => drawnEdges(present(), version),
    useEdges: (edges) => {
      const { snapshot, store, removed } = present();
      become(withNewGeneration({ ...snapshot, store, removed }, edges));
    },
    release: (snapshot) => {
      inUse.delete(snapshot);
      reclaim();
    },
  };
};
