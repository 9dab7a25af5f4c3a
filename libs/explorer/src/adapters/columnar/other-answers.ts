import { facetFields, type FacetField } from '../../contract.ts';
import { brushStops } from '../../brush-stops.ts';
import { facetRecord } from '../../facets.ts';
import { likeness, placesOf } from '../../likeness.ts';
import type { BrushAnswer, BrushQuery, IndicatorCounts, SearchFilter, SearchHit } from '../../search-port.ts';
import { answer, type Scratch } from './answer.ts';
import { slotOf } from './apply.ts';
import { readHit } from './columns.ts';
import type { Kernel } from './kernel.ts';
import { binsOf, type Snapshot } from './snapshot.ts';
import { byteAt, floatAt } from './typed-arrays.ts';

const open = { low: -Infinity, high: Infinity };

const cellOf = (stops: readonly number[], value: number): number => {
  if (Number.isNaN(value)) return 2 * stops.length + 1;
  const at = stops.findIndex((stop) => stop >= value);
  if (at < 0) return 2 * stops.length;
  return stops[at] === value ? 2 * at + 1 : 2 * at;
};

export const brushed = (
  snapshot: Snapshot,
  query: BrushQuery,
  kernel: Kernel,
  scratch: Scratch,
): BrushAnswer => {
  const { active, scales } = query;
  const ranges = { ...query.filter.ranges, [active]: open };
  answer(snapshot, { filter: { ...query.filter, ranges } }, kernel, scratch);
  const edges = snapshot.edges.edges;
  const stops = brushStops(active, scales[active], edges[active][scales[active]]);
  const values = snapshot.columns.numbers[active];
  const cells = 2 * stops.length + 2;
  const hits = new Uint32Array(cells);
  const others = facetFields.filter((field) => field !== active);
  const facets = others.map((field) => {
    const bins = edges[field][scales[field]].length - 1;
    return { field, scale: scales[field], bins, counts: new Uint32Array(cells * (bins + 1)) };
  });
  const codes = others.map((field) => binsOf(snapshot, field, scales[field]));
  for (let slot = 0; slot < snapshot.size; slot++) {
    const mask = byteAt(scratch.mask, slot);
    if ((mask & (mask - 1)) !== 0) continue;
    const cell = cellOf(stops, floatAt(values, slot));
    if (mask === 0) hits[cell] = (hits[cell] ?? 0) + 1;
    facets.forEach(({ field, bins, counts }, at) => {
      if ((mask & ~(1 << facetFields.indexOf(field))) !== 0) return;
      const place = cell * (bins + 1) + byteAt(codes[at] ?? new Uint8Array(0), slot);
      counts[place] = (counts[place] ?? 0) + 1;
    });
  }
  return { position: snapshot.position, stops, hits, facets };
};

export const indicatorCounts = (
  snapshot: Snapshot,
  filter: SearchFilter,
  kernel: Kernel,
  scratch: Scratch,
): IndicatorCounts => {
  const labels = new Set<string>();
  for (let slot = 0; slot < snapshot.size; slot++) {
    if (byteAt(snapshot.alive, slot) !== 0) continue;
    for (const label of snapshot.columns.categories[slot] ?? []) labels.add(label);
  }
  const counts = [...labels].map(
    (search) => [search, answer(snapshot, { filter: { ...filter, search } }, kernel, scratch).total] as const,
  );
  return { position: snapshot.position, counts: new Map(counts) };
};

export const similarTo = (snapshot: Snapshot, urlId: string, limit: number): readonly SearchHit[] | null => {
  const own = slotOf(snapshot, urlId);
  if (own < 0) return null;
  const figuresAt = (slot: number): Readonly<Record<FacetField, number | null>> =>
    facetRecord((field) => {
      const value = floatAt(snapshot.columns.numbers[field], slot);
      return Number.isNaN(value) ? null : value;
    });
  const { edges } = snapshot.edges;
  const places = placesOf(figuresAt(own), edges);
  return [...snapshot.byId]
    .filter((slot) => slot !== own && byteAt(snapshot.alive, slot) === 0)
    .map((slot) => ({ slot, sum: likeness(places, placesOf(figuresAt(slot), edges)) }))
    .filter(({ sum }) => sum > 0)
    .sort((a, b) => b.sum - a.sum)
    .slice(0, limit)
    .map(({ slot }) => readHit(snapshot.columns, snapshot.flags, slot));
};
