import { facetFields, type FacetField } from '../../../contract.ts';
import type { EdgeSet } from '../../../edges.ts';
import { facetRecord } from '../../../facets.ts';
import type { Columns } from '../columns.ts';
import { binsByCode, codeOf, drawCuts, matrixScales, writeCodes } from '../codes.ts';
import { dayCode } from '../days.ts';
import { facetCount } from '../kernel/kernel.ts';
import { filterColumns, layoutFor, memoryFor } from '../kernel/layout.ts';
import type { Permutation } from '../permutation.ts';
import type { Generation } from '../snapshot.ts';
import { byteAt, floatAt, shortAt } from '../typed-arrays.ts';

/** Writes into the memory of a generation, and reads back what it has written. */
export type GenerationWriter = Readonly<{
  generation: Generation;
  /** Codes and bins of new slots. */
  addSlots: (columns: Columns, from: number, to: number) => void;
  /** The bin of a slot; the one after the last is "unknown". */
  binAt: (matrix: number, facet: number, slot: number) => number;
}>;

/** Room for rows that come later, so that most changes find place. */
const capacityFor = (rows: number): number => Math.ceil(rows * 1.25) + 1_024;

/** Kernels want bins as offsets of four bytes each. */
const binBytes = 4;

type Views = Readonly<{
  codes: readonly Uint16Array[];
  filters: readonly Uint16Array[];
  bins: readonly Uint8Array[];
}>;

const viewsOf = ({ memory, layout }: Pick<Generation, 'memory' | 'layout'>): Views => {
  const { buffer } = memory;
  const { capacity } = layout;
  const column = (offset: number, index: number): Uint16Array =>
    new Uint16Array(buffer, offset + 2 * index * capacity, capacity);
  return {
    codes: facetFields.map((_, facet) => column(layout.codes, facet)),
    filters: filterColumns.map((_, index) => column(layout.filters, index)),
    bins: layout.bins.map((offset) => new Uint8Array(buffer, offset, facetCount * capacity)),
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

/** Three matrices of bins, each from the codes by a table per facet. */
const writeBins = (
  { codes, bins }: Views,
  tables: readonly (readonly Uint8Array[])[],
  from: number,
  to: number,
): void => {
  bins.forEach((matrix, index) => {
    codes.forEach((column, facet) => {
      const table = tables[facet]?.[index] ?? new Uint8Array(0);
      for (let slot = from; slot < to; slot++) {
        matrix[facetCount * slot + facet] = binBytes * byteAt(table, shortAt(column, slot));
      }
    });
  });
};

/** The codes of all slots in a memory of their own; `orders` has them by each field, ascending. */
export const writeGeneration = (
  id: number,
  columns: Columns,
  size: number,
  edges: EdgeSet,
  orders: Readonly<Record<FacetField, Permutation>>,
): GenerationWriter => {
  const layout = layoutFor(capacityFor(size));
  const cuts = facetRecord((field) => drawCuts(field, edges.edges, orders[field], columns.numbers[field]));
  const generation: Generation = { id, memory: memoryFor(layout), layout, edges, cuts };
  const views = viewsOf(generation);
  const tables = facetFields.map((field) =>
    matrixScales(field).map((scale) => binsByCode(cuts[field], edges.edges[field][scale])),
  );
  facetFields.forEach((field, facet) => {
    const codes = views.codes[facet];
    if (codes) writeCodes(cuts[field], orders[field], columns.numbers[field], codes);
  });
  writeFilters(views, columns, 0, size);
  writeBins(views, tables, 0, size);
  return {
    generation,
    addSlots: (columns, from, to) => {
      facetFields.forEach((field, facet) => {
        const codes = views.codes[facet];
        const values = columns.numbers[field];
        if (!codes) return;
        for (let slot = from; slot < to; slot++) codes[slot] = codeOf(cuts[field], floatAt(values, slot));
      });
      writeFilters(views, columns, from, to);
      writeBins(views, tables, from, to);
    },
    binAt: (matrix, facet, slot) =>
      byteAt(views.bins[matrix] ?? new Uint8Array(0), facetCount * slot + facet) / binBytes,
  };
};
