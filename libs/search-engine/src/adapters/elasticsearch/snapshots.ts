import type { Client } from '@elastic/elasticsearch';
import type { FacetEdges } from '../../catalogue/edges.ts';
import { ViewLost } from './failures.ts';
import { keepAlive, searchTimeout } from './requests/msearch.ts';
import type { FieldCounts } from './requests/search-requests.ts';

/** Where the catalogue in an index stands; the one document about the whole, written with its rows. */
export type CatalogueStanding = Readonly<{
  /** Identity of the tape's catalogue: an index of another one is never answered from. */
  catalogue: string;
  /** Tape position of the newest change. */
  position: string;
  /** The tape has been read up to here. */
  reached: string;
  demo: boolean;
  /** Version of the edges; 0 before any were drawn. */
  edges: number;
}>;

/** Id of that document; no strategy has it. */
export const standingId = '#catalogue';

/** One state of the catalogue, which stays as it is however the index changes. */
export type CatalogueView = Readonly<{
  /** The server's name for the state: a point in time. */
  pit: string;
  position: bigint;
  standing: CatalogueStanding;
  edges: FacetEdges;
  /** What does not depend on a query, asked for once: bars of the whole catalogue by field and scale, labels. */
  whole: Map<string, Promise<FieldCounts>>;
  labels: { value?: Promise<readonly string[]> };
}>;

type Taken = { readonly view: CatalogueView; users: number; retired: boolean };

export type Taking = Readonly<{ view: CatalogueView; release: () => void }>;

/** Holds the present state open, and each earlier one for as long as somebody asks it. */
export type Views = Readonly<{
  /** Opens the index's present state; later questions are answered from it. */
  open: () => Promise<CatalogueView>;
  /** The present state, to be released after use. @throws ViewLost when there is none. */
  take: () => Taking;
  current: () => CatalogueView | null;
  /** This state can be asked no more. */
  lose: (view: CatalogueView) => void;
  close: () => Promise<void>;
}>;

export type ViewOptions = Readonly<{
  client: Client;
  /** Index or alias. */
  index: string;
  /** Edges of a version. */
  edgesOf: (version: number) => Promise<FacetEdges>;
}>;

const standingIn = async (client: Client, pit: string): Promise<CatalogueStanding> => {
  const { hits } = await client.search<{ shown: CatalogueStanding }>(
    {
      pit: { id: pit, keep_alive: keepAlive },
      query: { term: { kind: 'catalogue' } },
      size: 1,
      _source: ['shown'],
    },
    { requestTimeout: searchTimeout },
  );
  const standing = hits.hits[0]?._source?.shown;
  if (!standing) throw new ViewLost('The index does not say where it stands.');
  return standing;
};

const closePit = async (client: Client, pit: string): Promise<void> => {
  // One that is not closed ends by itself.
  await client.closePointInTime({ id: pit }, { requestTimeout: searchTimeout }).catch(() => {});
};

export const createViews = ({ client, index, edgesOf }: ViewOptions): Views => {
  let present: Taken | null = null;

  const retire = (taken: Taken | null): void => {
    if (!taken || taken.retired) return;
    taken.retired = true;
    if (taken.users === 0) void closePit(client, taken.view.pit);
  };

  const read = async (pit: string): Promise<CatalogueView> => {
    const standing = await standingIn(client, pit);
    const edges = await edgesOf(standing.edges);
    return { pit, position: BigInt(standing.position), standing, edges, whole: new Map(), labels: {} };
  };

  const openNext = async (): Promise<CatalogueView> => {
    const { id } = await client.openPointInTime(
      { index, keep_alive: keepAlive },
      { requestTimeout: searchTimeout },
    );
    const view = await read(id).catch(async (error: unknown) => {
      await closePit(client, id);
      throw error;
    });
    const before = present;
    present = { view, users: 0, retired: false };
    retire(before);
    return view;
  };

  // One after the other: what was opened later is never replaced by what was opened before it.
  let opening: Promise<unknown> = Promise.resolve();
  const open = (): Promise<CatalogueView> => {
    const next = opening.then(openNext);
    opening = next.catch(() => {});
    return next;
  };

  return {
    open,
    take: () => {
      const taken = present;
      if (!taken) throw new ViewLost('No state of the index is open.');
      taken.users++;
      let released = false;
      return {
        view: taken.view,
        release: () => {
          if (released) return;
          released = true;
          taken.users--;
          if (taken.retired && taken.users === 0) void closePit(client, taken.view.pit);
        },
      };
    },
    current: () => present?.view ?? null,
    lose: (view) => {
      if (present?.view === view) present = null;
    },
    close: async () => {
      const last = present;
      present = null;
      if (last) await closePit(client, last.view.pit);
    },
  };
};
