import { facetFields, type FacetField, facetRecord } from '../../../contract.ts';
import { readLabels } from '../snapshot/hits.ts';
import { rowFlag, type Columns } from '../snapshot/columns.ts';
import type { GenerationWriter } from './generation.ts';
import { bucketCount } from '../kernel/kernel.ts';
import { firstAtLeast } from '../snapshot/permutation.ts';
import type { Extent, Snapshot } from '../snapshot/snapshot.ts';
import { byteAt, floatAt, shortAt, wordAt } from '../snapshot/typed-arrays.ts';

/** What is true of all live rows together, kept up to date row by row. */
export type CatalogueFacts = Readonly<{
  /** A slot has come to life, or has died. */
  count: (columns: Columns, slot: number, step: 1 | -1) => void;
  counts: () => Snapshot['counts'];
  demoRows: () => number;
  labels: () => readonly string[];
}>;

export const catalogueFacts = ({ bucketAt }: GenerationWriter): CatalogueFacts => {
  const counts = facetRecord(() => new Uint32Array(bucketCount));
  const lists = new Map<number, readonly string[]>();
  const rowsWithLabel = new Map<string, number>();
  let demo = 0;

  const labelsOf = (columns: Columns, slot: number): readonly string[] => {
    const list = wordAt(columns.categories.codes, slot);
    const labels = lists.get(list) ?? [...new Set(readLabels(columns, list))];
    lists.set(list, labels);
    return labels;
  };

  return {
    count: (columns, slot, step) => {
      facetFields.forEach((field, facet) => {
        const bucket = bucketAt(facet, slot);
        counts[field][bucket] = wordAt(counts[field], bucket) + step;
      });
      if (shortAt(columns.flags, slot) & rowFlag.demo) demo += step;
      for (const label of labelsOf(columns, slot)) {
        rowsWithLabel.set(label, (rowsWithLabel.get(label) ?? 0) + step);
      }
    },
    counts: () => facetRecord((field) => counts[field].slice()),
    demoRows: () => demo,
    labels: () => [...rowsWithLabel].flatMap(([label, rows]) => (rows > 0 ? [label] : [])),
  };
};

type Ordered = Pick<Snapshot, 'alive' | 'columns' | 'orders'>;

/** Smallest and largest finite value of the live rows. */
export const catalogueExtents = ({ alive, columns, orders }: Ordered): Snapshot['extents'] =>
  facetRecord((field: FacetField): Extent => {
    const order = orders.asc[field];
    const values = columns.numbers[field];
    let first = 0;
    let last = firstAtLeast(order, values, Infinity) - 1;
    while (first <= last && byteAt(alive, wordAt(order, first)) !== 0) first++;
    while (first <= last && byteAt(alive, wordAt(order, last)) !== 0) last--;
    if (first > last) return { min: null, max: null };
    return { min: floatAt(values, wordAt(order, first)), max: floatAt(values, wordAt(order, last)) };
  });
