import { randomBytes } from 'node:crypto';
import type { Client } from '@elastic/elasticsearch';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RowUpdate } from '@tapedeck/search-engine/port';
import { randomIds, randomRow, seededRandom, shuffled, type Random } from '@tapedeck/search-engine/testing';
import { testServerUrl } from '../testing/elasticsearch-server.ts';
import { createClient } from '../client.ts';
import { documentWrites } from '../index/documents.ts';
import { createIndex, deleteIndexes, refreshIndex } from '../index/index-admin.ts';
import { writeRows } from './bulk.ts';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const name = `bulk-${randomBytes(4).toString('hex')}`;
const indexes: string[] = [];
let client: Client;

beforeAll(() => {
  client = createClient({ url: testServerUrl() });
});
afterAll(async () => {
  await deleteIndexes(client, indexes);
  await client.close();
});

/** Everything that searches can see, sorted by id. */
const contentOf = async (index: string): Promise<readonly unknown[]> => {
  await refreshIndex(client, index);
  const { hits } = await client.search({
    index,
    query: { term: { kind: 'row' } },
    size: 10_000,
    sort: [{ urlId: 'asc' }],
    docvalue_fields: ['version', 'likes', 'profitFactor', 'totalTrades', 'publishedDay', 'labels'],
  });
  return hits.hits.map(({ _id, _source, fields }) => ({ _id, _source, fields }));
};

const indexWith = async (batches: readonly (readonly RowUpdate[])[]): Promise<string> => {
  const index = `${name}-${indexes.length}`;
  await createIndex(client, index);
  indexes.push(index);
  const target = { client, index, logger: silent, signal: new AbortController().signal };
  for (const batch of batches) await writeRows(target, documentWrites(batch));
  return index;
};

/** Versions 1, 2, … of each strategy, some of them withdrawals. */
const randomVersions = (random: Random, strategies: number): readonly RowUpdate[] =>
  randomIds(random, strategies).flatMap((urlId) =>
    Array.from({ length: 1 + random.below(5) }, (_, at): RowUpdate => {
      const version = at + 1;
      if (at > 0 && random.chance(0.3)) return { op: 'remove', urlId, version };
      return { op: 'put', row: { ...randomRow(random, urlId), version } };
    }),
  );

const inRandomBatches = <T>(random: Random, items: readonly T[]): readonly (readonly T[])[] => {
  const batches: T[][] = [[]];
  for (const item of items) {
    if (random.chance(0.02)) batches.push([]);
    batches.at(-1)?.push(item);
  }
  return batches;
};

describe('writeRows', () => {
  it.each([1, 2, 3])('gives the same index for shuffled and repeated changes (seed %i)', async (seed) => {
    const random = seededRandom(seed);
    const updates = randomVersions(random, 300);
    const inOrder = await indexWith([updates]);
    const repeated = [...updates, ...updates.filter(() => random.chance(0.4))];
    const outOfOrder = await indexWith(inRandomBatches(random, shuffled(random, repeated)));
    const content = await contentOf(inOrder);
    expect(content.length).toBeGreaterThan(100);
    expect(await contentOf(outOfOrder)).toEqual(content);
  });

  it('does not restore a withdrawn strategy when older changes arrive later', async () => {
    const put = (version: number): RowUpdate => ({
      op: 'put',
      row: { ...randomRow(seededRandom(9), 'Gone0001'), version },
    });
    const index = await indexWith([
      [put(1)],
      [{ op: 'remove', urlId: 'Gone0001', version: 3 }],
      [put(2)],
      [put(2)],
    ]);
    expect(await contentOf(index)).toEqual([]);
  });
});
