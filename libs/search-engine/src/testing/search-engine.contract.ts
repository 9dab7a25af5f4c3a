import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { scales, type FacetField, facetRecord } from '../contract.ts';
import { brushStops } from '../catalogue/brush-stops.ts';
import type { RowUpdate } from '../search-port.ts';
import { outcomeOf, randomHistory } from './contract/random-updates.ts';
import { demoRows } from './demo-rows.ts';
import { expectSliceToAnswer, expectWholeFacets, rowsOn } from './contract/count-checks.ts';
import { askRandomly, collected } from './contract/random-checks.ts';
import {
  catalogueOf,
  edgeSetOf,
  everything,
  expectSame,
  loaded,
  type TestEngine,
} from './contract/test-engine.ts';
import { seededRandom, randomIds, randomRow, randomRows } from './random-catalogue.ts';

export type { TestEngine } from './contract/test-engine.ts';

/** How much is asked. Loading a catalogue may be dear, and then few catalogues get many questions. */
export type ContractSize = Readonly<{
  /** Random ones; a quarter as many change while they are asked. */
  catalogues: number;
  /** Compared answers per catalogue, of all kinds of questions. */
  queriesPerCatalogue: number;
  /** A tenth of the catalogues have up to five times as many. */
  maxRows: number;
  /** Compared answers about the one demo catalogue, which is the same for every engine. */
  demoQueries: number;
  demoRows: number;
  /** Milliseconds for each of the long tests, for machines that have much else to do. */
  patience: number;
}>;

const fullSize: ContractSize = {
  catalogues: 100,
  queriesPerCatalogue: 20,
  maxRows: 400,
  demoQueries: 60,
  demoRows: 4_500,
  patience: 240_000,
};

/** What every search engine must do; answers are compared with the row-by-row oracle. */
export const searchEngineContract = (
  name: string,
  create: () => Promise<TestEngine>,
  size: Partial<ContractSize> = {},
): void => {
  const { catalogues, queriesPerCatalogue, maxRows, patience, ...demo } = { ...fullSize, ...size };

  describe(`${name} as a search engine`, () => {
    let subject: TestEngine;
    beforeAll(async () => {
      subject = await create();
    });
    afterAll(() => subject.close());

    const catalogue = fc.record({
      seed: fc.nat(),
      rows: fc.oneof(
        { weight: 2, arbitrary: fc.nat(8) },
        { weight: 6, arbitrary: fc.nat(maxRows) },
        { weight: 1, arbitrary: fc.integer({ min: maxRows, max: maxRows * 5 }) },
      ),
    });

    it(
      'answers as the oracle does on random catalogues',
      async () => {
        await fc.assert(
          fc.asyncProperty(catalogue, async ({ seed, rows }) => {
            const random = seededRandom(seed);
            const known = await loaded(subject, randomRows(random, rows));
            await askRandomly(subject.engine, known, random, queriesPerCatalogue);
          }),
          { numRuns: catalogues, endOnFailure: true },
        );
      },
      patience,
    );

    it(
      'answers as the oracle does on the demo catalogue',
      async () => {
        const known = await loaded(subject, demoRows(demo.demoRows));
        await askRandomly(subject.engine, known, seededRandom(17), demo.demoQueries);
      },
      patience,
    );

    it(
      'answers after changes in no order whatever as if it had been loaded with the outcome',
      async () => {
        await fc.assert(
          fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: maxRows / 4 }), async (seed, count) => {
            const random = seededRandom(seed);
            const ids = randomIds(random, count);
            const rows = ids
              .filter(() => random.chance(0.5))
              .map((id) => ({ ...randomRow(random, id), version: 1 + random.below(3) }));
            const { edges } = await loaded(subject, rows);
            const heard: RowUpdate[] = [];
            for (const updates of randomHistory(random, ids, rows)) {
              await subject.apply(updates);
              heard.push(...updates);
              const known = catalogueOf(outcomeOf(rows, heard), edges);
              await askRandomly(subject.engine, known, random, Math.ceil(queriesPerCatalogue / 4));
              const { position: _position, ...answer } = await subject.engine.search(everything);
              const isDemo = known.rows.some((row) => row.demo);
              expectSame(everything, answer, { ...known.oracle.answer(everything), demo: isDemo });
            }
          }),
          { numRuns: Math.ceil(catalogues / 4), endOnFailure: true },
        );
      },
      patience,
    );

    it('says of every facet that its bars and its unknown are the total without its own range', async () => {
      const random = seededRandom(11);
      const known = await loaded(subject, randomRows(random, maxRows));
      for (let i = 0; i < queriesPerCatalogue; i++) await expectWholeFacets(subject.engine, known, random);
    });

    it('gives slices that answer every range between two stops as the search does', async () => {
      const random = seededRandom(12);
      const first = randomRows(random, maxRows);
      const edges = edgeSetOf(first);
      const stops = facetRecord((field: FacetField) =>
        scales.flatMap((scale) => brushStops(field, scale, edges.edges[field][scale])),
      );
      const known = await loaded(subject, rowsOn(random, stops), edges);
      for (let i = 0; i < queriesPerCatalogue; i++)
        await expectSliceToAnswer(subject.engine, known, random, 6);
      await askRandomly(subject.engine, known, random, queriesPerCatalogue);
    });

    it('answers an empty catalogue', async () => {
      await askRandomly(subject.engine, await loaded(subject, []), seededRandom(13), 20);
    });

    it('gives lists and pages that put together are the same, each row once', async () => {
      const rows = randomRows(seededRandom(5), 250);
      await loaded(subject, rows);
      const order = { sort: 'likes', order: 'asc' } as const;
      const seen: string[] = [];
      for (let offset = 0; offset < 250; offset += 12) {
        const { hits } = await subject.engine.search({
          ...everything,
          page: { ...order, offset, limit: 12 },
        });
        seen.push(...hits.map(({ urlId }) => urlId));
      }
      const list = await collected(subject.engine.list(everything.filter, order, 1_000));
      expect(list.map(({ urlId }) => urlId)).toEqual(seen);
      expect(new Set(seen).size).toBe(250);
    });

    it('answers the same again, and to several who ask at once', async () => {
      const random = seededRandom(14);
      const known = await loaded(subject, randomRows(random, maxRows));
      await Promise.all(
        Array.from({ length: 8 }, (_, seed) => askRandomly(subject.engine, known, seededRandom(seed), 10)),
      );
    });

    it('does not answer what was given up before it was asked', async () => {
      await loaded(subject, randomRows(seededRandom(15), 50));
      const { engine } = subject;
      const { filter } = everything;
      const options = { signal: AbortSignal.abort(new Error('Nobody waits.')) };
      const failure = { message: expect.any(String) };
      const order = { sort: 'likes', order: 'asc' } as const;
      const brush = { filter, active: 'likes', scales: facetRecord(() => 'linear' as const) } as const;
      await expect(engine.search(everything, options)).rejects.toMatchObject(failure);
      await expect(engine.brush(brush, options)).rejects.toMatchObject(failure);
      await expect(engine.countIndicators(filter, options)).rejects.toMatchObject(failure);
      await expect(collected(engine.list(filter, order, 10, options))).rejects.toMatchObject(failure);
      await expect(engine.similar('Unknown1', 6, options)).rejects.toMatchObject(failure);
    });
  });
};
