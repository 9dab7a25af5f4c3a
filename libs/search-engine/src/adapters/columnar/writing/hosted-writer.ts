import type { EdgeSet } from '../../../catalogue/edges.ts';
import { loadCatalogue, type StoredConnection } from './load-catalogue.ts';
import { createCatalogueWriter, type CatalogueWriter, type Published } from './catalogue-writer.ts';

/** The writer as threads run it: it reads stored rows itself, so that they pass through no other thread. */
export type HostedWriter = CatalogueWriter &
  Readonly<{
    /** Publishes the read model's rows; answers from where on the tape they have to be followed. */
    loadStored: (connection: StoredConnection, edges: EdgeSet | null) => Promise<bigint>;
  }>;

export const createHostedWriter = (publish: (published: Published) => void): HostedWriter => {
  const writer = createCatalogueWriter(publish);
  return { ...writer, loadStored: (connection, edges) => loadCatalogue(connection, writer, edges) };
};
