import { describe, expect, it, beforeAll, afterAll } from '@jest/globals';
import { defaultScale, facetFields, sortFields } from '../../contract.ts';
import { facetRecord } from '../../facets.ts';
import type { SearchHit } from '../../search-port.ts';
import { elasticsearchSubject } from '../../testing/elasticsearch-subject.ts';
import { diceOf, randomFilter, randomRows } from '../../testing/random-catalogue.ts';
import { searchEngineContract, type EngineUnderTest } from '../../testing/search-engine.contract.ts';
import { createColumnarEngine } from '../columnar/engine.ts';

searchEngineContract('Elasticsearch', elasticsearchSubject, {
  catalogues: 20,
  queriesPerCatalogue: 20,
  mostRows: 200,
});

const collected = async (list: AsyncIterable<readonly SearchHit[]>): Promise<readonly SearchHit[]> => {
  const hits: SearchHit[] = [];
  for await (const piece of list) hits.push(...piece);
  return hits;
};

describe('both engines on one catalogue', () => {
  const dice = diceOf(77);
  const rows = randomRows(dice, 1_500);
  const columnar = createColumnarEngine();
  columnar.load(rows);
  const edges = columnar.drawEdges(1);
  columnar.useEdges(edges);
  const numbers = facetRecord((field) => rows.map((row) => row.figures[field] ?? 0));
  let subject: EngineUnderTest;

  beforeAll(async () => {
    subject = await elasticsearchSubject();
    await subject.load(rows, edges);
  });
  afterAll(() => subject.close());

  it('give the same slices of every field', async () => {
    for (const active of facetFields) {
      const query = { filter: randomFilter(dice, numbers), active, scales: defaultScale };
      const { position: _a, ...mine } = await subject.engine.brush(query);
      const { position: _b, ...theirs } = await columnar.brush(query);
      expect(mine).toEqual(theirs);
    }
  });

  it('count the same for every indicator', async () => {
    for (let round = 0; round < 8; round++) {
      const filter = randomFilter(dice, numbers);
      const [mine, theirs] = await Promise.all([
        subject.engine.countIndicators(filter),
        columnar.countIndicators(filter),
      ]);
      expect(new Map([...mine.counts].sort())).toEqual(new Map([...theirs.counts].sort()));
    }
  });

  it('list the same rows in the same order', async () => {
    for (const sort of sortFields) {
      const filter = { ...randomFilter(dice, numbers), search: '' };
      const order = { sort, order: dice.pick(['asc', 'desc'] as const) };
      const limit = dice.pick([7, 1_000, 1_001, 10_000]);
      const mine = await collected(subject.engine.list(filter, order, limit));
      expect(mine).toEqual(await collected(columnar.list(filter, order, limit)));
    }
  });

  it('find the same strategies similar', async () => {
    for (let round = 0; round < 25; round++) {
      const { urlId } = dice.pick(rows);
      expect(await subject.engine.similar(urlId, 12)).toEqual(await columnar.similar(urlId, 12));
    }
    expect(await subject.engine.similar('not there', 12)).toBeNull();
  });

  it('give a question up with its signal', async () => {
    const filter = randomFilter(dice, numbers);
    const giveUp = new AbortController();
    const asked = subject.engine.search({ filter, histograms: defaultScale }, { signal: giveUp.signal });
    giveUp.abort();
    await expect(asked).rejects.toThrow();
    await expect(subject.engine.search({ filter }, { signal: giveUp.signal })).rejects.toThrow();
  });
});
