import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import { facetFields, scales, type FacetField } from '../contract.ts';
import { computeEdges, type EdgeSet, type SortedFigures } from '../edges.ts';
import { facetRecord } from '../facets.ts';
import type { ExplorerRow, RowUpdate, SearchEngine, SearchQuery } from '../search-port.ts';
import { oracleOf } from './oracle.ts';
import {
  diceOf,
  randomIds,
  randomQuery,
  randomRow,
  randomRows,
  searchText,
  type Dice,
} from './random-catalogue.ts';

/** An engine, and how a test gives it its catalogue. */
export type EngineUnderTest = Readonly<{
  engine: SearchEngine;
  /** Exactly these rows, with these edges. */
  load: (rows: readonly ExplorerRow[], edges: EdgeSet) => Promise<void>;
  /** Changes on top of what is loaded; done when answers have them. */
  apply: (updates: readonly RowUpdate[]) => Promise<void>;
  close: () => Promise<void>;
}>;

export type ContractSize = Readonly<{ catalogues: number; queriesPerCatalogue: number; mostRows: number }>;

const fullSize: ContractSize = { catalogues: 110, queriesPerCatalogue: 20, mostRows: 400 };

const sortedFigures = (rows: readonly ExplorerRow[]): SortedFigures =>
  facetRecord((field) => {
    const values = rows
      .map((row) => row.figures[field])
      .filter((value) => value !== null && value < Infinity);
    return Float64Array.from(values.map(Number)).sort();
  });

const edgeSetOf = (rows: readonly ExplorerRow[]): EdgeSet => ({
  version: 1,
  known: facetRecord((field) => rows.filter((row) => row.figures[field] !== null).length),
  edges: computeEdges(sortedFigures(rows)),
});

const numbersOf = (
  rows: readonly ExplorerRow[],
  { edges }: EdgeSet,
): Readonly<Record<FacetField, readonly number[]>> =>
  facetRecord((field) => [
    ...rows.map((row) => row.figures[field] ?? 0),
    ...scales.flatMap((scale) => edges[field][scale]),
  ]);

const everything: SearchQuery = {
  filter: {
    search: '',
    symbol: '',
    pineVersion: null,
    published: { from: null, to: null },
    backtested: { from: null, to: null },
    hasPerformance: false,
    hasEnhanced: false,
    ranges: facetRecord(() => ({ low: -Infinity, high: Infinity })),
  },
  page: { sort: 'likes', order: 'desc', offset: 0, limit: 100 },
  histograms: facetRecord(() => 'linear'),
  ranges: true,
};

const expectTruth = async (
  engine: SearchEngine,
  rows: readonly ExplorerRow[],
  edges: EdgeSet,
  queries: readonly SearchQuery[],
): Promise<void> => {
  const oracle = oracleOf(rows, edges.edges);
  for (const query of queries) {
    const { position: _position, ...answer } = await engine.search(query);
    const truth = { ...oracle.answer(query), demo: rows.some((row) => row.demo) };
    // The matcher explains a difference well but is slow to find that there is none.
    if (!isDeepStrictEqual(answer, truth)) expect({ query, answer }).toEqual({ query, answer: truth });
  }
};

const randomUpdates = (dice: Dice, ids: readonly string[], round: number): readonly RowUpdate[] =>
  Array.from({ length: dice.below(ids.length + 1) }, (_, at): RowUpdate => {
    const urlId = ids[dice.below(ids.length)] ?? 'aaaaaaaa';
    const version = round * 10_000 + at + 1;
    if (dice.chance(0.2)) return { op: 'remove', urlId, version };
    return { op: 'put', row: { ...randomRow(dice, urlId), version } };
  });

const applied = (
  rows: ReadonlyMap<string, ExplorerRow>,
  updates: readonly RowUpdate[],
): Map<string, ExplorerRow> => {
  const next = new Map(rows);
  for (const update of updates) {
    if (update.op === 'put') next.set(update.row.urlId, update.row);
    else next.delete(update.urlId);
  }
  return next;
};

/** What every search engine must do; answers are compared with the row-by-row oracle. */
export const searchEngineContract = (
  name: string,
  create: () => Promise<EngineUnderTest>,
  { catalogues, queriesPerCatalogue, mostRows }: ContractSize = fullSize,
): void => {
  describe(`${name} as a search engine`, () => {
    let subject: EngineUnderTest;
    beforeAll(async () => {
      subject = await create();
    });
    afterAll(() => subject.close());

    const catalogue = fc.record({
      seed: fc.nat(),
      size: fc.oneof(
        { weight: 2, arbitrary: fc.nat(8) },
        { weight: 6, arbitrary: fc.nat(mostRows) },
        { weight: 1, arbitrary: fc.integer({ min: mostRows, max: mostRows * 5 }) },
      ),
    });

    it('answers as the oracle does on random catalogues', async () => {
      await fc.assert(
        fc.asyncProperty(catalogue, async ({ seed, size }) => {
          const dice = diceOf(seed);
          const rows = randomRows(dice, size);
          const edges = edgeSetOf(rows);
          await subject.load(rows, edges);
          const numbers = numbersOf(rows, edges);
          const queries = Array.from({ length: queriesPerCatalogue }, () => randomQuery(dice, numbers));
          await expectTruth(subject.engine, rows, edges, queries);
        }),
        { numRuns: catalogues, endOnFailure: true },
      );
    });

    it('answers after changes as if it had been loaded with the outcome', async () => {
      await fc.assert(
        fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: mostRows / 4 }), async (seed, size) => {
          const dice = diceOf(seed);
          const ids = randomIds(dice, size * 2);
          const rows = ids.slice(0, size).map((id) => randomRow(dice, id));
          const edges = edgeSetOf(rows);
          await subject.load(rows, edges);
          let state = new Map(rows.map((row) => [row.urlId, row]));
          for (let round = 0; round < 4; round++) {
            const updates = randomUpdates(dice, ids, round);
            await subject.apply(updates);
            state = applied(state, updates);
            const now = [...state.values()];
            const numbers = numbersOf(now, edges);
            const queries = Array.from({ length: 4 }, () => randomQuery(dice, numbers));
            const searches = Array.from({ length: 6 }, () => ({
              filter: { ...everything.filter, search: searchText(dice) },
            }));
            await expectTruth(subject.engine, now, edges, [...queries, ...searches, everything]);
          }
        }),
        { numRuns: Math.ceil(catalogues / 4), endOnFailure: true },
      );
    });

    it('says of every facet that its bars and its unknown are the total without its own range', async () => {
      const dice = diceOf(11);
      const rows = randomRows(dice, mostRows);
      const edges = edgeSetOf(rows);
      await subject.load(rows, edges);
      const numbers = numbersOf(rows, edges);
      for (let i = 0; i < 10; i++) {
        const query = { ...randomQuery(dice, numbers), histograms: facetRecord(() => 'quantile' as const) };
        const { histograms } = await subject.engine.search(query);
        expect(histograms.map(({ field }) => field)).toEqual(facetFields);
        for (const { field, counts, unknown } of histograms) {
          const ranges = { ...query.filter.ranges, [field]: { low: -Infinity, high: Infinity } };
          const open = await subject.engine.search({ filter: { ...query.filter, ranges } });
          expect(counts.reduce((sum, count) => sum + count, unknown)).toBe(open.total);
        }
      }
    });

    it('answers an empty catalogue', async () => {
      const edges = edgeSetOf([]);
      await subject.load([], edges);
      await expectTruth(subject.engine, [], edges, [everything]);
    });

    it('gives pages that put together are the whole list, each row once', async () => {
      const rows = randomRows(diceOf(5), 250);
      await subject.load(rows, edgeSetOf(rows));
      const seen: string[] = [];
      for (let offset = 0; offset < 250; offset += 12) {
        const page = { sort: 'likes', order: 'asc', offset, limit: 12 } as const;
        const { hits } = await subject.engine.search({ ...everything, page });
        seen.push(...hits.map(({ urlId }) => urlId));
      }
      expect(seen).toHaveLength(250);
      expect(new Set(seen).size).toBe(250);
    });
  });
};
