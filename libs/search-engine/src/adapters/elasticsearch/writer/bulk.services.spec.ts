import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '@elastic/elasticsearch';
import type { RowUpdate } from '../../../search-port.ts';
import { testServerUrl } from '../../../testing/elasticsearch-test-engine.ts';
import { seededRandom, randomIds, randomRow, type Random } from '../../../testing/random-catalogue.ts';
import { writeRows } from './bulk.ts';
import { createClient } from '../client.ts';
import { writesOf } from '../index/documents.ts';
import { createIndex, deleteIndexes, refreshIndex } from '../index/index-admin.ts';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const name = `replay-${randomBytes(4).toString('hex')}`;
const indexes: string[] = [];
let client: Client;

beforeAll(() => {
  client = createClient({ url: testServerUrl() });
});
afterAll(async () => {
  await deleteIndexes(client, indexes);
  await client.close();
});

/** Everything that a search could see of the index, by id, whatever order it was written in. */
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

const indexOf = async (batches: readonly (readonly RowUpdate[])[]): Promise<string> => {
  const index = `${name}-${indexes.length}`;
  await createIndex(client, index);
  indexes.push(index);
  const writing = { client, index, logger: silent, signal: new AbortController().signal };
  for (const batch of batches) await writeRows(writing, writesOf(batch));
  return index;
};

/** A life of each strategy: versions 1, 2, …, some of them withdrawals. */
const lives = (random: Random, count: number): readonly RowUpdate[] =>
  randomIds(random, count).flatMap((urlId) =>
    Array.from({ length: 1 + random.below(5) }, (_, at): RowUpdate => {
      const version = at + 1;
      if (at > 0 && random.chance(0.3)) return { op: 'remove', urlId, version };
      return { op: 'put', row: { ...randomRow(random, urlId), version } };
    }),
  );

const shuffled = <T>(random: Random, items: readonly T[]): readonly T[] =>
  items
    .map((item) => ({ item, place: random.next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);

const cut = <T>(random: Random, items: readonly T[]): readonly (readonly T[])[] => {
  const batches: T[][] = [[]];
  for (const item of items) {
    if (random.chance(0.02)) batches.push([]);
    batches.at(-1)?.push(item);
  }
  return batches;
};

describe('changes that come shuffled, twice and late', () => {
  it.each([1, 2, 3])('leave the index as a clean build leaves it (%i)', async (seed) => {
    const random = seededRandom(seed);
    const updates = lives(random, 300);
    const clean = await indexOf([updates]);
    const twice = [...updates, ...updates.filter(() => random.chance(0.4))];
    const wild = await indexOf(cut(random, shuffled(random, twice)));
    const content = await contentOf(clean);
    expect(content.length).toBeGreaterThan(100);
    expect(await contentOf(wild)).toEqual(content);
  });

  it('never bring back what was withdrawn', async () => {
    const put = (version: number): RowUpdate => ({
      op: 'put',
      row: { ...randomRow(seededRandom(9), 'Gone0001'), version },
    });
    const index = await indexOf([
      [put(1)],
      [{ op: 'remove', urlId: 'Gone0001', version: 3 }],
      [put(2)],
      [put(2)],
    ]);
    expect(await contentOf(index)).toEqual([]);
  });
});
