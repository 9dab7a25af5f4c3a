import { facetFields, facets, type FacetField, type FieldRange, type Histogram } from '../../contract.ts';
import type {
  BrushAnswer,
  BrushQuery,
  ExplorerRow,
  ListOrder,
  SearchFilter,
  SearchHit,
  SearchQuery,
} from '../../search-port.ts';
import { binCounts, binOf, minMax, unknownCount } from './counts.ts';
import {
  compareBytes,
  hasWords,
  hitOf,
  inRange,
  isActive,
  passesAttributes,
  prepare,
  sorted,
} from './rows.ts';
import { cutWords } from './words.ts';

export type OracleEdges = Readonly<Record<FacetField, Readonly<Record<string, readonly number[]>>>>;

export type OracleAnswer = Readonly<{
  total: number;
  hits: readonly SearchHit[];
  histograms: readonly Histogram[];
  ranges: Readonly<Record<FacetField, FieldRange>> | null;
}>;

/** A slow reference implementation of the search port; answers lack the position, which only an engine knows. */
export type Oracle = Readonly<{
  search: (query: SearchQuery) => OracleAnswer;
  /** The snap points are given; `snapPointsOf` has its own tests. */
  brush: (query: BrushQuery, snapPoints: readonly number[]) => Omit<BrushAnswer, 'position'>;
  countIndicators: (filter: SearchFilter) => ReadonlyMap<string, number>;
  list: (filter: SearchFilter, order: ListOrder, limit: number) => readonly SearchHit[];
  similar: (urlId: string, limit: number) => readonly SearchHit[] | null;
}>;

type Whole = Pick<Histogram, 'all' | 'unknownAll' | 'min' | 'max'>;

/** The interval of `BrushAnswer` that contains a value. */
const intervalOf = (snapPoints: readonly number[], value: number | null): number => {
  if (value === null) return 2 * snapPoints.length + 1;
  let interval = 0;
  for (const snapPoint of snapPoints) {
    if (value > snapPoint) interval += 2;
    else if (value === snapPoint) interval += 1;
  }
  return interval;
};

/** The quantile bin of a figure, scaled to an axis of 40. */
const axisPositionOf = (edges: OracleEdges, field: FacetField, value: number | null): number | null =>
  value === null ? null : (binOf(edges[field]['quantile'] ?? [], value) * 40) / facets[field].bins;

const similarityOf = (edges: OracleEdges, one: ExplorerRow, other: ExplorerRow): number => {
  let sum = 0;
  for (const field of facetFields) {
    const mine = axisPositionOf(edges, field, one.figures[field]);
    const theirs = axisPositionOf(edges, field, other.figures[field]);
    if (mine !== null && theirs !== null) sum += 64 - Math.abs(mine - theirs);
  }
  return sum;
};

/** For rows with different ids, and the edges that the engine was given. */
export const createOracle = (rows: readonly ExplorerRow[], edges: OracleEdges): Oracle => {
  const prepared = rows.map(prepare);
  const whole = new Map<string, Whole>();
  const wholeOf = (field: FacetField, own: readonly number[]): Whole => {
    const key = `${field} ${own.join()}`;
    const found = whole.get(key) ?? {
      all: [...binCounts(rows, field, own)],
      unknownAll: unknownCount(rows, field),
      ...minMax(rows, field),
    };
    whole.set(key, found);
    return found;
  };
  const passing = (filter: SearchFilter): readonly ExplorerRow[] => {
    const words = cutWords(filter.search);
    return prepared
      .filter(passesAttributes(filter))
      .filter((one) => hasWords(one, words))
      .map(({ row }) => row);
  };
  /** Rows that pass every range except those of the excluded fields. */
  const inRanges = (
    candidates: readonly ExplorerRow[],
    { ranges }: SearchFilter,
    ...excluded: readonly FacetField[]
  ): readonly ExplorerRow[] => {
    const active = facetFields.filter((field) => isActive(ranges[field]) && !excluded.includes(field));
    return candidates.filter((row) => active.every((field) => inRange(row.figures[field], ranges[field])));
  };

  const histogramOf = (
    others: readonly ExplorerRow[],
    field: FacetField,
    scale: Histogram['scale'],
  ): Histogram => {
    const own = edges[field][scale] ?? [];
    const filtered = minMax(others, field);
    return {
      field,
      scale,
      edges: [...own],
      counts: [...binCounts(others, field, own)],
      unknown: unknownCount(others, field),
      ...wholeOf(field, own),
      filteredMin: filtered.min,
      filteredMax: filtered.max,
    };
  };

  const search = ({ filter, page, histograms = {}, ranges = false }: SearchQuery): OracleAnswer => {
    const candidates = passing(filter);
    const found = inRanges(candidates, filter);
    const ordered = page ? sorted(found, page.sort, page.order) : [];
    const minMaxByField = (): OracleAnswer['ranges'] =>
      Object.fromEntries(
        facetFields.map((field) => [field, minMax(candidates, field)]),
      ) as OracleAnswer['ranges'];
    return {
      total: found.length,
      hits: page ? ordered.slice(page.offset, page.offset + page.limit).map(hitOf) : [],
      histograms: facetFields.flatMap((field): Histogram[] => {
        const scale = histograms[field];
        return scale ? [histogramOf(inRanges(candidates, filter, field), field, scale)] : [];
      }),
      ranges: ranges ? minMaxByField() : null,
    };
  };

  const brush: Oracle['brush'] = ({ filter, active, scales }, snapPoints) => {
    const candidates = passing(filter);
    const intervals = new Map(candidates.map((row) => [row, intervalOf(snapPoints, row.figures[active])]));
    const hits = new Uint32Array(2 * snapPoints.length + 2);
    const add = (counts: Uint32Array, at: number): void => {
      counts[at] = (counts[at] ?? 0) + 1;
    };
    for (const row of inRanges(candidates, filter, active)) add(hits, intervals.get(row) ?? 0);
    const facets = facetFields.flatMap((field): BrushAnswer['facets'] => {
      if (field === active) return [];
      const own = edges[field][scales[field]] ?? [];
      const bins = own.length - 1;
      const counts = new Uint32Array(hits.length * (bins + 1));
      for (const row of inRanges(candidates, filter, active, field)) {
        const value = row.figures[field];
        const bin = value === null ? bins : binOf(own, value);
        add(counts, (intervals.get(row) ?? 0) * (bins + 1) + bin);
      }
      return [{ field, scale: scales[field], bins, counts }];
    });
    return { snapPoints, hits, facets };
  };

  return {
    search,
    brush,
    countIndicators: (filter) => {
      const labels = new Set(rows.flatMap(({ categories }) => categories));
      const others = new Set(inRanges(passing({ ...filter, search: '' }), filter));
      const candidates = prepared.filter(({ row }) => others.has(row));
      const totalOf = (label: string): number => {
        const words = cutWords(label);
        return candidates.filter((one) => hasWords(one, words)).length;
      };
      return new Map([...labels].map((label) => [label, totalOf(label)]));
    },
    list: (filter, { sort, order }, limit) =>
      sorted(inRanges(passing(filter), filter), sort, order)
        .slice(0, limit)
        .map(hitOf),
    similar: (urlId, limit) => {
      const own = rows.find((row) => row.urlId === urlId);
      if (!own) return null;
      return rows
        .filter((row) => row !== own)
        .map((row) => ({ row, sum: similarityOf(edges, own, row) }))
        .filter(({ sum }) => sum > 0)
        .sort((a, b) => b.sum - a.sum || compareBytes(a.row.urlId, b.row.urlId))
        .slice(0, limit)
        .map(({ row }) => hitOf(row));
    },
  };
};
