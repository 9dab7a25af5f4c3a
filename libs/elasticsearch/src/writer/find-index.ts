import type { Client } from '@elastic/elasticsearch';
import type { EventStore } from '@tapedeck/eventing';
import { readModelState, type ProjectorLogger, type ReadModelState } from '@tapedeck/eventing/projections';
import type pg from 'pg';
import { areRowsReplaced, explorerStrategies } from '@tapedeck/search-engine/read-model';
import { createIndex, deleteIndexes, indexesBehind, numberedIndexes } from '../index/index-admin.ts';
import { readIndexState, type IndexState } from '../index/index-state.ts';
import { catalogueIdentity } from '../index/index-status.ts';
import { assertAliasIsFree } from './check-index.ts';
import type { IndexContents } from './fill-index.ts';
import { readDemoIds } from './scan-index.ts';

export type IndexWriterOptions = Readonly<{
  client: Client;
  /** The database of the read model. */
  pool: pg.Pool;
  store: EventStore;
  alias: string;
  logger: ProjectorLogger;
}>;

export type LiveIndex = IndexContents & Readonly<{ index: string }>;

/** Whether the index has to be filled again because rows of the read model were replaced. */
export const isOutdated = ({ parking, reached }: IndexState, rows: ReadModelState | null): boolean => {
  const copied = { parkingChanges: BigInt(parking ?? -1) };
  return rows !== null && areRowsReplaced(copied, rows, BigInt(reached));
};

/** Undefined when the index can be updated from the tape, beginning where its state says. */
const reasonToRebuild = async (
  { pool, store }: IndexWriterOptions,
  state: IndexState | undefined,
): Promise<string | undefined> => {
  if (!state) return 'it has no document with its state';
  if (state.catalogue !== (await catalogueIdentity(pool))) {
    return 'it was filled from another database: give each product an ELASTICSEARCH_INDEX of its own';
  }
  if (BigInt(state.reached) > (await store.head())) return 'it is ahead of the tape';
  if (isOutdated(state, await readModelState(pool, explorerStrategies))) {
    return 'rows of the read model were replaced since it was filled';
  }
  return undefined;
};

/**
 * The index behind the alias; null when there is none, or it must be rebuilt.
 * @throws IndexUnusable when an index of another program has the name of the alias.
 */
export const findLiveIndex = async (options: IndexWriterOptions): Promise<LiveIndex | null> => {
  const { client, alias, logger } = options;
  await assertAliasIsFree(client, alias);
  const [index] = await indexesBehind(client, alias);
  if (index === undefined) return null;
  const state = await readIndexState(client, { index });
  const reason = await reasonToRebuild(options, state);
  if (reason === undefined && state) {
    const demoIds = await readDemoIds(client, index);
    const blocked = new Set((await readModelState(options.pool, explorerStrategies))?.blockedKeys);
    return { index, state, demoIds, blocked };
  }
  logger.warn({ index }, `search index must be rebuilt: ${reason}`);
  return null;
};

/** Creates an empty index with the next number, and deletes what earlier attempts have left behind. */
export const createNextIndex = async ({ client, alias, logger }: IndexWriterOptions): Promise<string> => {
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
  logger.info({ index }, 'building a search index');
  return index;
};
