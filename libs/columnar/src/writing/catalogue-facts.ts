import { facetFields, facetRecord } from '@tapedeck/search-engine/contract';
import { bucketCount } from '../kernel/layout.ts';
import { rowFlag, type Columns } from '../snapshot/columns.ts';
import { readLabels } from '../snapshot/hits.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { shortAt, wordAt } from '../snapshot/typed-arrays.ts';
import type { EncodingWriter } from './encoding.ts';

/** Counts over all live rows, updated row by row. */
export type CatalogueFacts = Readonly<{
  /** Adds a slot that has become live, or removes one that is dead. */
  count: (columns: Columns, slot: number, step: 1 | -1) => void;
  counts: () => Snapshot['counts'];
  demoRows: () => number;
  labels: () => readonly string[];
}>;

export const catalogueFacts = ({ bucketAt }: EncodingWriter): CatalogueFacts => {
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
