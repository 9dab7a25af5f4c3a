import { describe, expect, it } from '@jest/globals';
import { defaultScale } from '@tapedeck/search-engine/contract';
import { toSearchFilter, type RowUpdate, type SearchAnswer } from '@tapedeck/search-engine/port';
import { seededRandom, randomIds, randomRow, randomRows, type Random } from '@tapedeck/search-engine/testing';
import { createCatalogueWriter, type CatalogueWriter, type Published } from './writing/catalogue-writer.ts';
import { createColumnarEngine, type ColumnarEngine } from './engine.ts';
import { readHit } from './snapshot/hits.ts';
import { buffersOf, liveRows } from './snapshot/snapshot.ts';

const everything = {
  filter: toSearchFilter({}),
  page: { sort: 'views', order: 'desc', offset: 0, limit: 100 },
  histograms: defaultScale,
  ranges: true,
} as const;
const narrowed = { ...everything, filter: toSearchFilter({ search: 'm', min_likes: 1, max_views: 60 }) };

const puts = (random: Random, ids: readonly string[], version: number): readonly RowUpdate[] =>
  ids.map((id) => ({ op: 'put', row: { ...randomRow(random, id), version } }));

const answers = async (engine: ColumnarEngine): Promise<readonly SearchAnswer[]> => [
  await engine.search(everything),
  await engine.search(narrowed),
];

describe('a columnar catalogue after many updates', () => {
  it('answers like a newly loaded one after compactions and new edges', async () => {
    const random = seededRandom(7);
    const ids = randomIds(random, 650);
    const engine = createColumnarEngine();
    const fresh = createColumnarEngine();
    await engine.load([]);
    for (let round = 1; round <= 5; round++) {
      const updates = puts(random, ids, round);
      await engine.apply(updates, BigInt(round));
      const edges = await engine.computeEdges(round);
      await engine.useEdges(edges);
      const rows = updates.flatMap((update) => (update.op === 'put' ? [update.row] : []));
      await fresh.load(rows, { position: BigInt(round), edges });
      expect(await answers(engine)).toEqual(await answers(fresh));
      expect(engine.size()).toBe(650);
    }
  });

  it('answers like a newly loaded one after it has outgrown its memory', async () => {
    const random = seededRandom(3);
    const rows = randomRows(random, 5_300);
    const engine = createColumnarEngine();
    await engine.load(rows.slice(0, 200));
    const edges = await engine.computeEdges(1);
    await engine.useEdges(edges);
    for (let from = 200; from < rows.length; from += 1_700) {
      const updates = rows.slice(from, from + 1_700).map((row): RowUpdate => ({ op: 'put', row }));
      await engine.apply(updates, 1n);
    }
    const fresh = createColumnarEngine();
    await fresh.load(rows, { position: 1n, edges });
    expect(await answers(engine)).toEqual(await answers(fresh));
  });

  it('uses the last of several rows with the same id', async () => {
    const random = seededRandom(9);
    const engine = createColumnarEngine();
    await engine.load(['one', 'two', 'three'].map((title) => ({ ...randomRow(random, 'abcd1234'), title })));
    const { total, hits } = await engine.search(everything);
    expect([total, hits[0]?.title]).toEqual([1, 'three']);
  });
});

describe('the catalogue writer', () => {
  const started = (
    rows: number,
  ): Readonly<{ writer: CatalogueWriter; published: Published[]; ids: readonly string[] }> => {
    const random = seededRandom(8);
    const ids = randomIds(random, rows);
    const published: Published[] = [];
    const writer = createCatalogueWriter((one) => published.push(one));
    writer.begin(0);
    writer.add(ids.map((id) => randomRow(random, id)));
    writer.finish(1n, null);
    return { writer, published, ids };
  };
  const titles = ({ snapshot }: Published): readonly string[] =>
    Array.from(snapshot.orders.desc.views, (slot) => readHit(snapshot.columns, slot).title);

  it('does not change a snapshot before it is released', () => {
    const { writer, published, ids } = started(50);
    const [first] = published;
    if (!first) throw new Error('Nothing was published.');
    const before = titles(first);
    for (let round = 1; round <= 30; round++) {
      writer.stage(puts(seededRandom(round), ids, round));
      writer.apply(2n);
      for (const { snapshot } of published.slice(1, -1)) writer.release(snapshot.id);
    }
    expect(first.snapshot.size).toBe(50);
    expect(titles(first)).toEqual(before);
    expect([...first.snapshot.alive]).toEqual(Array.from({ length: 50 }, () => 0));
  });

  it('reuses the memory of released snapshots', () => {
    const { writer, published, ids } = started(50);
    const seen = new Set<ArrayBufferLike>();
    for (let round = 1; round <= 30; round++) {
      writer.stage(puts(seededRandom(round), ids.slice(0, 2), round));
      writer.apply(2n);
      const [before, now] = published.slice(-2);
      if (before) writer.release(before.snapshot.id);
      for (const buffer of now ? buffersOf(now.snapshot) : []) seen.add(buffer);
    }
    // Two snapshots of 22 orders, and a few text segments.
    expect(seen.size).toBeLessThan(90);
  });

  it('uses one memory until it is full or a quarter of the rows are dead', () => {
    const { writer, published, ids } = started(400);
    for (let round = 1; round <= 8; round++) {
      writer.stage(puts(seededRandom(round), ids, round));
      writer.apply(2n);
    }
    const [encodings, sizes] = [
      published.map(({ encoding }) => encoding.id),
      published.map(({ snapshot }) => snapshot.size),
    ];
    expect(new Set(encodings).size).toBe(3);
    expect(sizes).toEqual([400, 800, 1_200, 400, 800, 1_200, 400, 800, 1_200]);
    expect(published.map(({ snapshot }) => liveRows(snapshot))).toEqual(published.map(() => 400));
  });
});
