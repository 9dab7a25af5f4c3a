import { isDeepStrictEqual } from 'node:util';
import { expect } from '@jest/globals';
import { computeEdges, type EdgeSet, type SortedFigures } from '../../catalogue/edges.ts';
import { facetRecord, scales } from '../../contract.ts';
import type { ExplorerRow, RowUpdate, SearchEngine, SearchQuery } from '../../search-port.ts';
import { createOracle, type Oracle } from '../oracle/oracle.ts';
import type { KnownValues } from '../random-catalogue.ts';

/** An engine, and how a test fills it. */
export type TestEngine = Readonly<{
  engine: SearchEngine;
  /** Replaces everything by these rows and edges. */
  load: (rows: readonly ExplorerRow[], edges: EdgeSet) => Promise<void>;
  /** Applies changes to what is loaded; resolves when searches see them. */
  apply: (updates: readonly RowUpdate[]) => Promise<void>;
  close: () => Promise<void>;
}>;

/** What an engine was filled with, and the oracle for it. */
export type Catalogue = Readonly<{
  rows: readonly ExplorerRow[];
  edges: EdgeSet;
  oracle: Oracle;
  knownValues: KnownValues;
}>;

const sortedFigures = (rows: readonly ExplorerRow[]): SortedFigures =>
  facetRecord((field) => {
    const values = rows
      .map((row) => row.figures[field])
      .filter((value) => value !== null && value < Infinity);
    return Float64Array.from(values.map(Number)).sort();
  });

export const edgesFor = (rows: readonly ExplorerRow[]): EdgeSet => ({
  version: 1,
  known: facetRecord((field) => rows.filter((row) => row.figures[field] !== null).length),
  edges: computeEdges(sortedFigures(rows)),
});

export const catalogueOf = (rows: readonly ExplorerRow[], edges: EdgeSet = edgesFor(rows)): Catalogue => ({
  rows,
  edges,
  oracle: createOracle(rows, edges.edges),
  knownValues: {
    ids: rows.map(({ urlId }) => urlId),
    numbers: facetRecord((field) => [
      ...rows.map((row) => row.figures[field] ?? 0),
      ...scales.flatMap((scale) => edges.edges[field][scale]),
    ]),
  },
});

export const loadCatalogue = async (
  { load }: TestEngine,
  rows: readonly ExplorerRow[],
  edges?: EdgeSet,
): Promise<Catalogue> => {
  const catalogue = catalogueOf(rows, edges);
  await load(rows, catalogue.edges);
  return catalogue;
};

/** Compares before it calls the matcher, which is slow even when there is no difference to explain. */
export const expectSame = (query: unknown, actual: unknown, expected: unknown): void => {
  if (!isDeepStrictEqual(actual, expected)) expect({ query, actual }).toEqual({ query, actual: expected });
};

export const openRange = { low: -Infinity, high: Infinity };

/** No filter, one page, all histograms and ranges. */
export const unfilteredQuery: SearchQuery = {
  filter: {
    search: '',
    symbol: '',
    pineVersion: null,
    published: { from: null, to: null },
    backtested: { from: null, to: null },
    hasPerformance: false,
    hasEnhanced: false,
    ranges: facetRecord(() => openRange),
  },
  page: { sort: 'likes', order: 'desc', offset: 0, limit: 100 },
  histograms: facetRecord(() => 'linear'),
  ranges: true,
};

export const sum = (counts: Iterable<number>): number => {
  let total = 0;
  for (const count of counts) total += count;
  return total;
};
