import { expect } from '@jest/globals';
import { isDeepStrictEqual } from 'node:util';
import { scales, facetRecord } from '../../contract.ts';
import { computeEdges, type EdgeSet, type SortedFigures } from '../../catalogue/edges.ts';
import type { ExplorerRow, RowUpdate, SearchEngine, SearchQuery } from '../../search-port.ts';
import { oracleOf, type Oracle } from '../oracle/oracle.ts';
import type { KnownValues } from '../random-catalogue.ts';

/** An engine, and how a test gives it its catalogue. */
export type TestEngine = Readonly<{
  engine: SearchEngine;
  /** Exactly these rows, with these edges. */
  load: (rows: readonly ExplorerRow[], edges: EdgeSet) => Promise<void>;
  /** Changes on top of what is loaded; done when answers have them. */
  apply: (updates: readonly RowUpdate[]) => Promise<void>;
  close: () => Promise<void>;
}>;

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

export const edgeSetOf = (rows: readonly ExplorerRow[]): EdgeSet => ({
  version: 1,
  known: facetRecord((field) => rows.filter((row) => row.figures[field] !== null).length),
  edges: computeEdges(sortedFigures(rows)),
});

export const catalogueOf = (rows: readonly ExplorerRow[], edges: EdgeSet = edgeSetOf(rows)): Catalogue => ({
  rows,
  edges,
  oracle: oracleOf(rows, edges.edges),
  knownValues: {
    ids: rows.map(({ urlId }) => urlId),
    numbers: facetRecord((field) => [
      ...rows.map((row) => row.figures[field] ?? 0),
      ...scales.flatMap((scale) => edges.edges[field][scale]),
    ]),
  },
});

/** A catalogue of these rows, in the engine. */
export const loaded = async (
  { load }: TestEngine,
  rows: readonly ExplorerRow[],
  edges?: EdgeSet,
): Promise<Catalogue> => {
  const catalogue = catalogueOf(rows, edges);
  await load(rows, catalogue.edges);
  return catalogue;
};

/** The matcher explains a difference well but is slow to find that there is none. */
export const expectSame = (question: unknown, answer: unknown, truth: unknown): void => {
  if (!isDeepStrictEqual(answer, truth)) expect({ question, answer }).toEqual({ question, answer: truth });
};

export const open = { low: -Infinity, high: Infinity };

export const everything: SearchQuery = {
  filter: {
    search: '',
    symbol: '',
    pineVersion: null,
    published: { from: null, to: null },
    backtested: { from: null, to: null },
    hasPerformance: false,
    hasEnhanced: false,
    ranges: facetRecord(() => open),
  },
  page: { sort: 'likes', order: 'desc', offset: 0, limit: 100 },
  histograms: facetRecord(() => 'linear'),
  ranges: true,
};

export const sum = (counts: Iterable<number>): number => {
  let all = 0;
  for (const count of counts) all += count;
  return all;
};
