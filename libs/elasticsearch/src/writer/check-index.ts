import type { Client } from '@elastic/elasticsearch';
import { IndexUnusable, isTransient } from '../failures.ts';
import { findIndexes, writeAlias, type FoundIndex } from '../index/index-admin.ts';
import { IndexMissing } from './bulk.ts';

/** The index that this writer updates. */
export type OwnIndex = Readonly<{ index: string; uuid: string }>;

export type IndexCondition =
  | 'in place'
  /** The index exists, but the alias does not point to it alone. */
  | 'alias moved'
  | Readonly<{ lostBecause: string }>
  /** The server did not answer. */
  | 'unknown';

/** @throws IndexMissing */
export const identify = async (client: Client, index: string): Promise<OwnIndex> => {
  const found = (await findIndexes(client, [index])).get(index);
  if (!found) throw new IndexMissing(`The index ${index} does not exist.`);
  return { index, uuid: found.uuid };
};

const assertFree = (found: ReadonlyMap<string, FoundIndex>, alias: string): void => {
  if (!found.has(alias)) return;
  throw new IndexUnusable(
    `An index of another program has the name "${alias}", which the alias of the search index needs: delete that index, or choose another ELASTICSEARCH_INDEX.`,
  );
};

/** @throws IndexUnusable when an index has the name of the alias: it is not ours to delete. */
export const assertAliasIsFree = async (client: Client, alias: string): Promise<void> =>
  assertFree(await findIndexes(client, [alias]), alias);

const lossOf = (found: FoundIndex | undefined, own: OwnIndex): string | undefined => {
  if (!found) return 'it was deleted';
  if (found.uuid !== own.uuid) return 'another index has its name';
  if (!found.aliases.includes(writeAlias(own.index))) return 'its alias for writes was removed';
  return undefined;
};

const conditionOf = async (client: Client, alias: string, own: OwnIndex): Promise<IndexCondition> => {
  const found = await findIndexes(client, [alias, own.index]);
  assertFree(found, alias);
  const lostBecause = lossOf(found.get(own.index), own);
  if (lostBecause !== undefined) return { lostBecause };
  const behind = [...found].filter(([, { aliases }]) => aliases.includes(alias)).map(([name]) => name);
  return behind.length === 1 && behind[0] === own.index ? 'in place' : 'alias moved';
};

/**
 * Whether searches still use the index that this writer updates: somebody may have changed it on the server.
 * @throws IndexUnusable when an index of another program has the name of the alias.
 */
export const checkIndex = (client: Client, alias: string, own: OwnIndex): Promise<IndexCondition> =>
  conditionOf(client, alias, own).catch((error: unknown): IndexCondition => {
    if (isTransient(error)) return 'unknown';
    throw error;
  });
