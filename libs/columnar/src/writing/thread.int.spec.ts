import { existsSync } from 'node:fs';
import { afterAll, describe, expect, it } from '@jest/globals';
import { defaultScale } from '@tapedeck/search-engine/contract';
import { toSearchFilter, type RowUpdate, type SearchAnswer } from '@tapedeck/search-engine/port';
import { seededRandom, randomIds, randomRow } from '@tapedeck/search-engine/testing';
import { createColumnarEngine, type ColumnarEngine } from '../engine.ts';

/** Compiled: a thread cannot be started from the sources. */
const workerFile = new URL('../../dist/writing/worker.js', import.meta.url);

const engines: ColumnarEngine[] = [];
afterAll(async () => {
  await Promise.all(engines.map((engine) => engine.close()));
});

const started = (file: URL): ColumnarEngine => {
  const engine = createColumnarEngine({ writer: 'worker-thread', workerFile: file });
  engines.push(engine);
  return engine;
};

const answers = async (engine: ColumnarEngine): Promise<readonly SearchAnswer[]> => {
  const page = { sort: 'likes', order: 'desc', offset: 0, limit: 100 } as const;
  const ask = (filter: Parameters<typeof toSearchFilter>[0]): Promise<SearchAnswer> =>
    engine.search({ filter: toSearchFilter(filter), page, histograms: defaultScale, ranges: true });
  return [await ask({}), await ask({ search: 'm', min_likes: 1, max_views: 60, symbol: 'btc' })];
};

describe('a catalogue in a worker thread', () => {
  it('has a compiled worker', () => {
    expect(existsSync(workerFile)).toBe(true);
  });

  it('answers like a catalogue in this thread, after updates and new edges', async () => {
    const random = seededRandom(41);
    const ids = randomIds(random, 900);
    const rows = ids.slice(0, 600).map((id) => randomRow(random, id));
    const [own, other] = [createColumnarEngine(), started(workerFile)];
    for (const engine of [own, other]) await engine.load(rows);
    expect(await answers(other)).toEqual(await answers(own));
    for (let round = 1; round <= 6; round++) {
      const updates = ids
        .slice(round * 50, round * 50 + 500)
        .map((id, at): RowUpdate =>
          at % 7 === 0
            ? { op: 'remove', urlId: id, version: round }
            : { op: 'put', row: { ...randomRow(random, id), version: round } },
        );
      for (const engine of [own, other]) await engine.apply(updates, BigInt(round));
      const edges = await other.computeEdges(round);
      expect(edges).toEqual(await own.computeEdges(round));
      for (const engine of [own, other]) await engine.useEdges(edges);
      expect(await answers(other)).toEqual(await answers(own));
    }
    expect([other.size(), other.position(), other.knownCounts()]).toEqual([
      own.size(),
      own.position(),
      own.knownCounts(),
    ]);
  });

  it('reports a failed call and continues', async () => {
    const engine = started(workerFile);
    await expect(engine.apply([], 1n)).rejects.toThrow('There is no catalogue yet');
    await engine.load([randomRow(seededRandom(42), 'alone001')]);
    expect(engine.size()).toBe(1);
  });

  it('still answers when it is closed, but can no longer change', async () => {
    const engine = started(workerFile);
    await engine.load([randomRow(seededRandom(43), 'first001')]);
    await engine.close();
    expect((await answers(engine))[0]?.total).toBe(1);
    await expect(engine.apply([], 2n)).rejects.toThrow('closed');
  });

  it('rejects a call during which the thread ends, and starts another thread for the next call', async () => {
    const engine = started(new URL('data:text/javascript,setTimeout(() => process.exit(7), 20)'));
    await expect(engine.load([])).rejects.toThrow('ended with code 7');
    await expect(engine.load([])).rejects.toThrow('ended with code 7');
    expect((await answers(engine))[0]?.total).toBe(0);
  });
});
