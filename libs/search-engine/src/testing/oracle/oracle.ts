import { binCount, facetFields, type FacetField, type FieldRange, type Histogram } from '../../contract.ts';
import type {
  BrushAnswer,
  BrushQuery,
  ExplorerRow,
  ListOrder,
  SearchFilter,
  SearchHit,
  SearchQuery,
} from '../../search-port.ts';
import { bars, binOf, extent, unknownIn } from './counts.ts';
import { hasWords, hitOf, inBytes, inRange, isActive, passesRest, prepare, sorted } from './rows.ts';
import { cutWords } from './words.ts';

export type OracleEdges = Readonly<Record<FacetField, Readonly<Record<string, readonly number[]>>>>;

export type OracleAnswer = Readonly<{
  total: number;
  hits: readonly SearchHit[];
  histograms: readonly Histogram[];
  ranges: Readonly<Record<FacetField, FieldRange>> | null;
}>;

/** Answers without the position, which only an engine knows. */
export type Oracle = Readonly<{
  answer: (query: SearchQuery) => OracleAnswer;
  /** The stops are taken as given: what they must be like is tested with `brushStops`. */
  brush: (query: BrushQuery, stops: readonly number[]) => Omit<BrushAnswer, 'position'>;
  countIndicators: (filter: SearchFilter) => ReadonlyMap<string, number>;
  list: (filter: SearchFilter, order: ListOrder, limit: number) => readonly SearchHit[];
  similar: (urlId: string, limit: number) => readonly SearchHit[] | null;
}>;

type Whole = Pick<Histogram, 'all' | 'unknownAll' | 'min' | 'max'>;

/** Which of the cells of `BrushAnswer` a value falls into. */
const cellOf = (stops: readonly number[], value: number | null): number => {
  if (value === null) return 2 * stops.length + 1;
  let cell = 0;
  for (const stop of stops) {
    if (value > stop) cell += 2;
    else if (value === stop) cell += 1;
  }
  return cell;
};

/** Where a figure stands on an axis of 40 places, by its quantile bin. */
const placeOf = (edges: OracleEdges, field: FacetField, value: number | null): number | null =>
  value === null ? null : (binOf(edges[field]['quantile'] ?? [], value) * 40) / binCount[field];

const likenessOf = (edges: OracleEdges, one: ExplorerRow, other: ExplorerRow): number => {
  let sum = 0;
  for (const field of facetFields) {
    const mine = placeOf(edges, field, one.figures[field]);
    const theirs = placeOf(edges, field, other.figures[field]);
    if (mine !== null && theirs !== null) sum += 64 - Math.abs(mine - theirs);
  }
  return sum;
};

/** The truth about a catalogue: rows with different ids, and the edges that the engine was given. */
export const oracleOf = (rows: readonly ExplorerRow[], edges: OracleEdges): Oracle => {
  const prepared = rows.map(prepare);
  const whole = new Map<string, Whole>();
  const wholeOf = (field: FacetField, own: readonly number[]): Whole => {
    const key = `${field} ${own.join()}`;
    const facts = whole.get(key) ?? {
      all: [...bars(rows, field, own)],
      unknownAll: unknownIn(rows, field),
      ...extent(rows, field),
    };
    whole.set(key, facts);
    return facts;
  };
  const passing = (filter: SearchFilter): readonly ExplorerRow[] => {
    const sought = cutWords(filter.search);
    return prepared
      .filter(passesRest(filter))
      .filter((one) => hasWords(one, sought))
      .map(({ row }) => row);
  };
  /** Rows that pass every range but those of these fields. */
  const without = (
    candidates: readonly ExplorerRow[],
    { ranges }: SearchFilter,
    ...left: readonly FacetField[]
  ): readonly ExplorerRow[] => {
    const active = facetFields.filter((field) => isActive(ranges[field]) && !left.includes(field));
    return candidates.filter((row) => active.every((field) => inRange(row.figures[field], ranges[field])));
  };

  const histogramOf = (
    others: readonly ExplorerRow[],
    field: FacetField,
    scale: Histogram['scale'],
  ): Histogram => {
    const own = edges[field][scale] ?? [];
    const filtered = extent(others, field);
    return {
      field,
      scale,
      edges: [...own],
      counts: [...bars(others, field, own)],
      unknown: unknownIn(others, field),
      ...wholeOf(field, own),
      filteredMin: filtered.min,
      filteredMax: filtered.max,
    };
  };

  const answer = ({ filter, page, histograms = {}, ranges = false }: SearchQuery): OracleAnswer => {
    const rest = passing(filter);
    const found = without(rest, filter);
    const ordered = page ? sorted(found, page.sort, page.order) : [];
    const extents = (): OracleAnswer['ranges'] =>
      Object.fromEntries(facetFields.map((field) => [field, extent(rest, field)])) as OracleAnswer['ranges'];
    return {
      total: found.length,
      hits: page ? ordered.slice(page.offset, page.offset + page.limit).map(hitOf) : [],
      histograms: facetFields.flatMap((field): Histogram[] => {
        const scale = histograms[field];
        return scale ? [histogramOf(without(rest, filter, field), field, scale)] : [];
      }),
      ranges: ranges ? extents() : null,
    };
  };

  const brush: Oracle['brush'] = ({ filter, active, scales }, stops) => {
    const rest = passing(filter);
    const cells = new Map(rest.map((row) => [row, cellOf(stops, row.figures[active])]));
    const hits = new Uint32Array(2 * stops.length + 2);
    const add = (counts: Uint32Array, place: number): void => {
      counts[place] = (counts[place] ?? 0) + 1;
    };
    for (const row of without(rest, filter, active)) add(hits, cells.get(row) ?? 0);
    const facets = facetFields.flatMap((field): BrushAnswer['facets'] => {
      if (field === active) return [];
      const own = edges[field][scales[field]] ?? [];
      const bins = own.length - 1;
      const counts = new Uint32Array(hits.length * (bins + 1));
      for (const row of without(rest, filter, active, field)) {
        const value = row.figures[field];
        const bin = value === null ? bins : binOf(own, value);
        add(counts, (cells.get(row) ?? 0) * (bins + 1) + bin);
      }
      return [{ field, scale: scales[field], bins, counts }];
    });
    return { stops, hits, facets };
  };

  return {
    answer,
    brush,
    countIndicators: (filter) => {
      const labels = new Set(rows.flatMap(({ categories }) => categories));
      const others = new Set(without(passing({ ...filter, search: '' }), filter));
      const candidates = prepared.filter(({ row }) => others.has(row));
      const totalOf = (label: string): number => {
        const sought = cutWords(label);
        return candidates.filter((one) => hasWords(one, sought)).length;
      };
      return new Map([...labels].map((label) => [label, totalOf(label)]));
    },
    list: (filter, { sort, order }, limit) =>
      sorted(without(passing(filter), filter), sort, order)
        .slice(0, limit)
        .map(hitOf),
    similar: (urlId, limit) => {
      const own = rows.find((row) => row.urlId === urlId);
      if (!own) return null;
      return rows
        .filter((row) => row !== own)
        .map((row) => ({ row, sum: likenessOf(edges, own, row) }))
        .filter(({ sum }) => sum > 0)
        .sort((a, b) => b.sum - a.sum || inBytes(a.row.urlId, b.row.urlId))
        .slice(0, limit)
        .map(({ row }) => hitOf(row));
    },
  };
};
