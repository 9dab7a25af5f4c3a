import type { Client } from '@elastic/elasticsearch';
import type { FacetEdges } from '@tapedeck/search-engine/catalogue';
import { keepAlive, searchTimeoutMs } from './client.ts';
import { SnapshotLost } from './failures.ts';
import { readIndexState, type IndexState } from './index/index-state.ts';
import type { FieldCounts } from './requests/search-requests.ts';

/** One state of the catalogue, which does not change when the index does. */
export type CatalogueSnapshot = Readonly<{
  /** Id of the server's point in time. */
  pit: string;
  position: bigint;
  state: IndexState;
  edges: FacetEdges;
  /** Requested once per snapshot, since they depend on no query: counts by field and scale, and labels. */
  wholeCounts: Map<string, Promise<FieldCounts>>;
  labels: { value?: Promise<readonly string[]> };
}>;

type OpenSnapshot = { readonly snapshot: CatalogueSnapshot; users: number; retired: boolean };

export type AcquiredSnapshot = Readonly<{ snapshot: CatalogueSnapshot; release: () => void }>;

/** Keeps the newest snapshot open, and every older one until its last user has released it. */
export type Snapshots = Readonly<{
  /** Opens the present state of the index; requests use it from then on. */
  open: () => Promise<CatalogueSnapshot>;
  /** Opens a snapshot when there is none; several calls wait for the same one. */
  ensureOpen: () => Promise<void>;
  /** The newest snapshot, to be released after use. @throws SnapshotLost when there is none. */
  acquire: () => AcquiredSnapshot;
  current: () => CatalogueSnapshot | null;
  /** SnapPoints using a snapshot that the server no longer has. */
  discard: (snapshot: CatalogueSnapshot) => void;
  close: () => Promise<void>;
}>;

export type SnapshotOptions = Readonly<{
  client: Client;
  /** Index or alias. */
  index: string;
  /** Edges of a version. */
  edgesOf: (version: number) => Promise<FacetEdges>;
}>;

const closePit = async (client: Client, pit: string): Promise<void> => {
  // One that cannot be closed expires by itself.
  await client.closePointInTime({ id: pit }, { requestTimeout: searchTimeoutMs }).catch(() => {});
};

export const createSnapshots = ({ client, index, edgesOf }: SnapshotOptions): Snapshots => {
  let newest: OpenSnapshot | null = null;

  const closeIfUnused = ({ snapshot, users, retired }: OpenSnapshot): void => {
    if (retired && users === 0) void closePit(client, snapshot.pit);
  };

  const describe = async (pit: string): Promise<CatalogueSnapshot> => {
    const state = await readIndexState(
      client,
      { pit: { id: pit, keep_alive: keepAlive } },
      { requestTimeout: searchTimeoutMs },
    );
    if (!state) throw new SnapshotLost('The index has no document with its state.');
    const edges = await edgesOf(state.edges);
    return { pit, position: BigInt(state.position), state, edges, wholeCounts: new Map(), labels: {} };
  };

  const openNext = async (): Promise<CatalogueSnapshot> => {
    const { id } = await client.openPointInTime(
      { index, keep_alive: keepAlive },
      { requestTimeout: searchTimeoutMs },
    );
    const snapshot = await describe(id).catch(async (error: unknown) => {
      await closePit(client, id);
      throw error;
    });
    const previous = newest;
    newest = { snapshot, users: 0, retired: false };
    if (previous) {
      previous.retired = true;
      closeIfUnused(previous);
    }
    return snapshot;
  };

  // One at a time: an older state never replaces a newer one.
  let opening: Promise<unknown> = Promise.resolve();
  const open = (): Promise<CatalogueSnapshot> => {
    const next = opening.then(openNext);
    opening = next.catch(() => {});
    return next;
  };

  let ensuring: Promise<void> | undefined;
  const openIfNone = async (): Promise<void> => {
    await opening;
    if (!newest) await open();
  };

  return {
    open,
    ensureOpen: () => {
      ensuring ??= openIfNone().finally(() => {
        ensuring = undefined;
      });
      return ensuring;
    },
    acquire: () => {
      const acquired = newest;
      if (!acquired) throw new SnapshotLost('No snapshot of the index is open.');
      acquired.users++;
      let released = false;
      return {
        snapshot: acquired.snapshot,
        release: () => {
          if (released) return;
          released = true;
          acquired.users--;
          closeIfUnused(acquired);
        },
      };
    },
    current: () => newest?.snapshot ?? null,
    discard: (snapshot) => {
      if (newest?.snapshot === snapshot) newest = null;
    },
    close: async () => {
      const last = newest;
      newest = null;
      if (last) await closePit(client, last.snapshot.pit);
    },
  };
};
