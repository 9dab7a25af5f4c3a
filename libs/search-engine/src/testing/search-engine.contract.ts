import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { propertyRuns } from '@tapedeck/eventing/testing';
import fc from 'fast-check';
import { snapPointsOf } from '../catalogue/snap-points.ts';
import { facetRecord, scales, type FacetField } from '../contract.ts';
import type { RowUpdate } from '../search-port.ts';
import { expectCountsToEqualTotal, expectSliceToEqualSearch, rowsAround } from './contract/count-checks.ts';
import {
  collectHits,
  expectConcurrentRequestsToEqualOracle,
  expectRandomRequestsToEqualOracle,
} from './contract/random-checks.ts';
import { randomUpdates, rowsAfter } from './contract/random-updates.ts';
import {
  catalogueOf,
  edgesFor,
  expectSame,
  loadCatalogue,
  unfilteredQuery,
  type TestEngine,
} from './contract/test-engine.ts';
import { demoRows } from './demo-rows.ts';
import { randomIds, randomRow, randomRows, seededRandom } from './random-catalogue.ts';

export type { TestEngine } from './contract/test-engine.ts';

/** How much is checked. For an engine that loads slowly: few catalogues, with many requests each. */
export type ContractSize = Readonly<{
  /** Random ones; a quarter as many are changed while they are searched. */
  catalogues: number;
  /** Compared answers per catalogue, of all kinds of requests. */
  queriesPerCatalogue: number;
  /** A tenth of the catalogues have up to five times as many. */
  maxRows: number;
  /** Compared answers for the demo catalogue. */
  demoQueries: number;
  demoRows: number;
  /** For each of the long tests. */
  timeoutMs: number;
}>;

const fullSize: ContractSize = {
  catalogues: 100,
  queriesPerCatalogue: 20,
  maxRows: 400,
  demoQueries: 60,
  demoRows: 4_500,
  timeoutMs: 240_000,
};

/** The tests that every search engine must pass; expected answers come from the oracle. */
export const searchEngineContract = (
  name: string,
  createTestEngine: () => Promise<TestEngine>,
  size: Partial<ContractSize> = {},
): void => {
  const { catalogues, queriesPerCatalogue, maxRows, timeoutMs, ...demo } = { ...fullSize, ...size };

  describe(`${name} as a search engine`, () => {
    let testEngine: TestEngine;
    beforeAll(async () => {
      testEngine = await createTestEngine();
    });
    afterAll(() => testEngine.close());

    const anyCatalogue = fc.record({
      seed: fc.nat(),
      rows: fc.oneof(
        { weight: 2, arbitrary: fc.nat(8) },
        { weight: 6, arbitrary: fc.nat(maxRows) },
        { weight: 1, arbitrary: fc.integer({ min: maxRows, max: maxRows * 5 }) },
      ),
    });

    it(
      'equals the oracle on random catalogues',
      async () => {
        await fc.assert(
          fc.asyncProperty(anyCatalogue, async ({ seed, rows }) => {
            const random = seededRandom(seed);
            const catalogue = await loadCatalogue(testEngine, randomRows(random, rows));
            await expectRandomRequestsToEqualOracle(
              testEngine.engine,
              catalogue,
              random,
              queriesPerCatalogue,
            );
          }),
          { numRuns: propertyRuns(catalogues), endOnFailure: true },
        );
      },
      timeoutMs,
    );

    it(
      'equals the oracle on the demo catalogue',
      async () => {
        const catalogue = await loadCatalogue(testEngine, demoRows(demo.demoRows));
        await expectRandomRequestsToEqualOracle(
          testEngine.engine,
          catalogue,
          seededRandom(17),
          propertyRuns(demo.demoQueries),
        );
      },
      timeoutMs,
    );

    it(
      'gives the same answers after changes in any order as after loading the resulting rows',
      async () => {
        await fc.assert(
          fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: maxRows / 4 }), async (seed, count) => {
            const random = seededRandom(seed);
            const ids = randomIds(random, count);
            const rows = ids
              .filter(() => random.chance(0.5))
              .map((id) => ({ ...randomRow(random, id), version: 1 + random.below(3) }));
            const { edges } = await loadCatalogue(testEngine, rows);
            const received: RowUpdate[] = [];
            for (const updates of randomUpdates(random, ids, rows)) {
              await testEngine.apply(updates);
              received.push(...updates);
              const catalogue = catalogueOf(rowsAfter(rows, received), edges);
              await expectRandomRequestsToEqualOracle(
                testEngine.engine,
                catalogue,
                random,
                Math.ceil(queriesPerCatalogue / 4),
              );
              const { position: _position, ...answer } = await testEngine.engine.search(unfilteredQuery);
              const isDemo = catalogue.rows.some((row) => row.demo);
              const expected = { ...catalogue.oracle.search(unfilteredQuery), demo: isDemo };
              expectSame(unfilteredQuery, answer, expected);
            }
          }),
          { numRuns: propertyRuns(Math.ceil(catalogues / 4), 5), endOnFailure: true },
        );
      },
      timeoutMs,
    );

    it('counts in each histogram all rows that pass the other filters', async () => {
      const random = seededRandom(11);
      const catalogue = await loadCatalogue(testEngine, randomRows(random, maxRows));
      for (let i = 0; i < queriesPerCatalogue; i++) {
        await expectCountsToEqualTotal(testEngine.engine, catalogue, random);
      }
    });

    it('gives brush slices that equal a search for every range between two snap points', async () => {
      const random = seededRandom(12);
      const rows = randomRows(random, maxRows);
      const edges = edgesFor(rows);
      const snapPoints = facetRecord((field: FacetField) =>
        scales.flatMap((scale) => snapPointsOf(field, scale, edges.edges[field][scale])),
      );
      const catalogue = await loadCatalogue(testEngine, rowsAround(random, snapPoints), edges);
      for (let i = 0; i < queriesPerCatalogue; i++) {
        await expectSliceToEqualSearch(testEngine.engine, catalogue, random, 6);
      }
      await expectRandomRequestsToEqualOracle(testEngine.engine, catalogue, random, queriesPerCatalogue);
    });

    it('equals the oracle on an empty catalogue', async () => {
      await expectRandomRequestsToEqualOracle(
        testEngine.engine,
        await loadCatalogue(testEngine, []),
        seededRandom(13),
        20,
      );
    });

    it('gives the same rows in pages as in a list, each row once', async () => {
      const rows = randomRows(seededRandom(5), 250);
      await loadCatalogue(testEngine, rows);
      const order = { sort: 'likes', order: 'asc' } as const;
      const fromPages: string[] = [];
      for (let offset = 0; offset < 250; offset += 12) {
        const { hits } = await testEngine.engine.search({
          ...unfilteredQuery,
          page: { ...order, offset, limit: 12 },
        });
        fromPages.push(...hits.map(({ urlId }) => urlId));
      }
      const list = await collectHits(testEngine.engine.list(unfilteredQuery.filter, order, 1_000));
      expect(list.map(({ urlId }) => urlId)).toEqual(fromPages);
      expect(new Set(fromPages).size).toBe(250);
    });

    it('answers concurrent requests correctly', async () => {
      const catalogue = await loadCatalogue(testEngine, randomRows(seededRandom(14), maxRows));
      const clients = Array.from({ length: 8 }, (_, seed) => seededRandom(seed));
      await expectConcurrentRequestsToEqualOracle(testEngine.engine, catalogue, clients, 10);
    });

    it('rejects requests whose signal is already aborted', async () => {
      await loadCatalogue(testEngine, randomRows(seededRandom(15), 50));
      const { engine } = testEngine;
      const { filter } = unfilteredQuery;
      const options = { signal: AbortSignal.abort(new Error('The client has left.')) };
      const failure = { message: expect.any(String) };
      const order = { sort: 'likes', order: 'asc' } as const;
      const brush = { filter, active: 'likes', scales: facetRecord(() => 'linear' as const) } as const;
      await expect(engine.search(unfilteredQuery, options)).rejects.toMatchObject(failure);
      await expect(engine.brush(brush, options)).rejects.toMatchObject(failure);
      await expect(engine.countIndicators(filter, options)).rejects.toMatchObject(failure);
      await expect(collectHits(engine.list(filter, order, 10, options))).rejects.toMatchObject(failure);
      await expect(engine.similar('Unknown1', 6, options)).rejects.toMatchObject(failure);
    });
  });
};
