import type { EdgeSet } from '@tapedeck/search-engine/catalogue';
import { facetFields, facetRecord, type FacetField } from '@tapedeck/search-engine/contract';
import { filterColumns, layoutFor, memoryFor } from '../kernel/layout.ts';
import { bucketOf, computeBucketCuts, forEachBucket } from '../snapshot/buckets.ts';
import { allSnapPoints, codeOf, writeCodes } from '../snapshot/codes.ts';
import { dayCode, type Columns } from '../snapshot/columns.ts';
import type { Permutation } from '../snapshot/permutation.ts';
import type { Encoding } from '../snapshot/snapshot.ts';
import { byteAt, floatAt } from '../snapshot/typed-arrays.ts';

/** Writes into the memory of an encoding. */
export type EncodingWriter = Readonly<{
  encoding: Encoding;
  /** Writes the buckets and codes of new slots. */
  addSlots: (columns: Columns, from: number, to: number) => void;
  bucketAt: (facet: number, slot: number) => number;
}>;

/** With room for later rows, so that most updates fit. */
const capacityFor = (rows: number): number => Math.ceil(rows * 1.25) + 1_024;

type Views = Readonly<{
  buckets: Uint8Array;
  codes: readonly Uint16Array[];
  filters: readonly Uint16Array[];
}>;

const viewsOf = ({ memory, layout }: Pick<Encoding, 'memory' | 'layout'>): Views => {
  const { buffer } = memory;
  const { capacity } = layout;
  const column = (offset: number, index: number): Uint16Array =>
    new Uint16Array(buffer, offset + 2 * index * capacity, capacity);
  return {
    buckets: new Uint8Array(buffer, layout.buckets, layout.stride * capacity),
    codes: facetFields.map((_, facet) => column(layout.codes, facet)),
    filters: filterColumns.map((_, index) => column(layout.filters, index)),
  };
};

const writeFilters = ({ filters }: Views, columns: Columns, from: number, to: number): void => {
  const { numbers, pineVersions, flags } = columns;
  const days = [numbers.publicationDate, numbers.backtestingStart, numbers.backtestingEnd];
  days.forEach((values, index) => {
    const target = filters[index];
    if (target) for (let slot = from; slot < to; slot++) target[slot] = dayCode(floatAt(values, slot));
  });
  filters[3]?.set(pineVersions.subarray(from, to), from);
  filters[4]?.set(flags.subarray(from, to), from);
};

/** Writes the buckets and codes of all slots into a new memory; `orders` are the ascending orders of the fields. */
export const writeEncoding = (
  id: number,
  columns: Columns,
  size: number,
  edges: EdgeSet,
  orders: Readonly<Record<FacetField, Permutation>>,
): EncodingWriter => {
  const layout = layoutFor(capacityFor(size), facetFields.length);
  const cuts = facetRecord((field) =>
    computeBucketCuts(field, edges.edges, orders[field], columns.numbers[field]),
  );
  const snapPoints = facetRecord((field) => allSnapPoints(field, edges.edges));
  const encoding: Encoding = { id, memory: memoryFor(layout), layout, edges, cuts, snapPoints };
  const { stride } = layout;
  const views = viewsOf(encoding);
  const { buckets } = views;
  facetFields.forEach((field, facet) => {
    const values = columns.numbers[field];
    forEachBucket(cuts[field], orders[field], values, (slot, bucket) => {
      buckets[stride * slot + facet] = bucket;
    });
    const codes = views.codes[facet];
    if (codes) writeCodes(snapPoints[field], orders[field], values, codes);
  });
  writeFilters(views, columns, 0, size);
  return {
    encoding,
    addSlots: (columns, from, to) => {
      facetFields.forEach((field, facet) => {
        const codes = views.codes[facet];
        const values = columns.numbers[field];
        if (!codes) return;
        for (let slot = from; slot < to; slot++) {
          const value = floatAt(values, slot);
          buckets[stride * slot + facet] = bucketOf(cuts[field], value);
          codes[slot] = codeOf(snapPoints[field], value);
        }
      });
      writeFilters(views, columns, from, to);
    },
    bucketAt: (facet, slot) => byteAt(buckets, stride * slot + facet),
  };
};
