import type { Client } from '@elastic/elasticsearch';
import type { EventStore } from '@tapedeck/eventing';
import type pg from 'pg';
import type { ProjectorLogger } from '@tapedeck/eventing/projections';
import { createIndex, deleteIndexes, indexesBehind, numberedIndexes } from '../index/index-admin.ts';
import { catalogueIdentity } from '../index/index-status.ts';
import type { CatalogueStanding } from '../snapshots.ts';
import type { WrittenIndex } from './fill-index.ts';
import { demoIds } from './index-contents.ts';

export type IndexPlace = Readonly<{
  client: Client;
  pool: pg.Pool;
  store: EventStore;
  alias: string;
  logger: ProjectorLogger;
}>;

export type FoundIndex = WrittenIndex & Readonly<{ index: string }>;

const standingOf = async (client: Client, index: string): Promise<CatalogueStanding | undefined> => {
  const { hits } = await client.search<{ shown: CatalogueStanding }>({
    index,
    query: { term: { kind: 'catalogue' } },
    size: 1,
  });
  return hits.hits[0]?._source?.shown;
};

/** Why an index cannot be gone on with; undefined when it can. */
const unfit = async (
  { pool, store }: IndexPlace,
  standing: CatalogueStanding | undefined,
): Promise<string | undefined> => {
  if (!standing) return 'it does not say where it stands';
  if (standing.catalogue !== (await catalogueIdentity(pool))) {
    return 'it was filled from another database: give each product an ELASTICSEARCH_INDEX of its own';
  }
  if (BigInt(standing.reached) > (await store.head())) return 'it is ahead of the tape';
  return undefined;
};

/** The index behind the alias, when the tape can be followed from where it stands. */
export const findIndex = async (place: IndexPlace): Promise<FoundIndex | null> => {
  const { client, alias, logger } = place;
  const [index] = await indexesBehind(client, alias);
  if (index === undefined) return null;
  const standing = await standingOf(client, index);
  const reason = await unfit(place, standing);
  if (reason === undefined && standing) return { index, standing, demo: await demoIds(client, index) };
  logger.warn({ index }, `search index is built anew: ${reason}`);
  return null;
};

/** An empty index with the next number; those that neither answer nor are being built are deleted. */
export const beginIndex = async ({ client, alias, logger }: IndexPlace): Promise<string> => {
  const existing = await numberedIndexes(client, alias);
  const live = await indexesBehind(client, alias);
  await deleteIndexes(
    client,
    existing.filter((index) => !live.includes(index)),
  );
  const last = existing.at(-1);
  const number = last === undefined ? 1 : Number(last.slice(alias.length + 1)) + 1;
  const index = `${alias}-${number}`;
  await createIndex(client, index);
  logger.info({ index }, 'search index is being built');
  return index;
};
