import { brotliCompressSync, constants } from 'node:zlib';
import { packSlice, unpackSlice, type BrushSlice } from '@tapedeck/explorer/contract';
import { defaultScale, facetFields } from '@tapedeck/search-engine/contract';
import type { BrushAnswer, SearchEngine } from '@tapedeck/search-engine/engine';
import { count, ms, say, table, type Claim } from '../print.ts';
import { percentile } from '../statistics.ts';
import { filterOf } from './columnar-subject.ts';
import { binOf, type Figures, type Ranges } from './figures.ts';

/** The brotli quality of the API. */
const quality = 4;

const toWireSlice = (active: number, { snapPoints, hits, facets, position }: BrushAnswer): BrushSlice => {
  const field = facetFields[active] ?? 'likes';
  const slice: BrushSlice = {
    field,
    scale: defaultScale[field],
    snapPoints: [...snapPoints],
    ...packSlice({ hits, facets }),
    meta: { position: String(position), demo: false },
  };
  return slice;
};

const sum = (counts: Iterable<number>): number => {
  let all = 0;
  for (const one of counts) all += one;
  return all;
};

/** Compares a slice, as the browser reads it, with a count row by row. */
const checkSlice = (slice: BrushSlice, active: number, figures: Figures, ranges: Ranges): void => {
  const { snapPoints } = slice;
  const { hits, facets } = unpackSlice(slice);
  const intervalOf = (value: number): number => {
    if (Number.isNaN(value)) return 2 * snapPoints.length + 1;
    const at = snapPoints.findIndex((snapPoint) => snapPoint >= value);
    if (at < 0) return 2 * snapPoints.length;
    return snapPoints[at] === value ? 2 * at + 1 : 2 * at;
  };
  const others = facetFields.flatMap((field, facet) => (facet === active ? [] : [facet]));
  const plainHits = hits.map(() => 0);
  const plain = facets.map(({ counts }) => counts.map(() => 0));
  for (const row of figures.ids.keys()) {
    const failed = others.filter((facet) => {
      const value = figures.columns[facet]?.[row] ?? NaN;
      const { low = NaN, high = NaN } = ranges[facet] ?? {};
      return !(value >= low && value <= high);
    });
    if (failed.length > 1) continue;
    const interval = intervalOf(figures.columns[active]?.[row] ?? NaN);
    if (failed.length === 0) plainHits[interval] = (plainHits[interval] ?? 0) + 1;
    others.forEach((facet, at) => {
      if (failed.some((one) => one !== facet)) return;
      const edges = figures.edges[facet] ?? [];
      const place = interval * edges.length + binOf(edges, figures.columns[facet]?.[row] ?? NaN);
      const counts = plain[at];
      if (counts) counts[place] = (counts[place] ?? 0) + 1;
    });
  }
  const same =
    sum(hits) > 0 &&
    Buffer.from(hits.buffer, hits.byteOffset, hits.byteLength).equals(Buffer.from(plainHits.buffer)) &&
    facets.every(({ counts }, at) => counts.every((value, place) => value === plain[at]?.[place]));
  if (!same) throw new Error('A brush slice differs from a plain count: its measurements would be invalid.');
};

const aims = { ms: 5, kilobytes: 30 };

/** Measures slices for all sliders in turn, with the ranges of the others. */
export const benchBrush = async (
  engine: SearchEngine,
  figures: Figures,
  sets: readonly Ranges[],
  rounds: number,
): Promise<readonly Claim[]> => {
  const ask = (active: number, ranges: Ranges): Promise<BrushAnswer> =>
    engine.brush({
      filter: filterOf(ranges),
      active: facetFields[active] ?? 'likes',
      scales: defaultScale,
    });
  const [first = []] = sets;
  for (const active of [0, 3])
    checkSlice(toWireSlice(active, await ask(active, first)), active, figures, first);
  const counted: number[] = [];
  const packed: number[] = [];
  const compressed: number[] = [];
  const kilobytes: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const ranges = sets[(round + 1) % sets.length] ?? [];
    for (const active of facetFields.keys()) {
      const startedAt = performance.now();
      const answer = await ask(active, ranges);
      const answeredAt = performance.now();
      const text = JSON.stringify(toWireSlice(active, answer));
      const packedAt = performance.now();
      const bytes = brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
      if (round < 0) continue;
      counted.push(answeredAt - startedAt);
      packed.push(packedAt - answeredAt);
      compressed.push(performance.now() - packedAt);
      kilobytes.push(bytes.length / 1_024);
    }
  }
  const rows = count(figures.ids.length);
  say(`Brush slices over ${rows} rows with the ranges of the other facets; brotli ${quality}:`);
  say();
  table(
    ['brush slice', 'p50', 'p95'],
    (
      [
        ['counting, ms', counted],
        ['packing and JSON, ms', packed],
        ['brotli, ms', compressed],
        ['KB on the wire', kilobytes],
      ] as const
    ).map(([name, all]) => [name, ms(percentile(all, 0.5)), ms(percentile(all, 0.95))]),
  );
  const time = percentile(counted, 0.5);
  const size = percentile(kilobytes, 0.5);
  return [
    {
      claim: `brush slice of ${rows} rows, p50`,
      aim: `≤ ${aims.ms} ms`,
      measured: `${ms(time)} ms`,
      reached: time <= aims.ms,
    },
    {
      claim: '… on the wire',
      aim: `≤ ${aims.kilobytes} KB`,
      measured: `${size.toFixed(1)} KB`,
      reached: size <= aims.kilobytes,
    },
  ];
};
