import { binsOffset, facetCount, histogramBytes, scratch } from './scratch';

export function addOne(counter: usize): void {
  store<u32>(counter, load<u32>(counter) + 1);
}

/** Whether all facets are counted by the same matrix, so that the bins of a row stand side by side. */
export function binsStandTogether(): bool {
  const table = scratch + binsOffset;
  for (let facet: usize = 1; facet < facetCount; facet++) {
    if (load<u32>(table + 4 * facet) != load<u32>(table) + (facet as u32)) return false;
  }
  return true;
}

/** The address of the first bin of all, when bins stand together. */
export function firstBin(): usize {
  return load<u32>(scratch + binsOffset) as usize;
}

/** Eight histograms. Only a method can be told to be inlined in the syntax that TypeScript shares. */
export abstract class Cell {
  /** Counts a row whose eight bins stand at this address: each is the offset of its counter, in bytes. */
  @inline
  static addTogether(cell: usize, bins: usize): void {
    addOne(cell + load<u8>(bins));
    addOne(cell + load<u8>(bins, 1) + histogramBytes);
    addOne(cell + load<u8>(bins, 2) + 2 * histogramBytes);
    addOne(cell + load<u8>(bins, 3) + 3 * histogramBytes);
    addOne(cell + load<u8>(bins, 4) + 4 * histogramBytes);
    addOne(cell + load<u8>(bins, 5) + 5 * histogramBytes);
    addOne(cell + load<u8>(bins, 6) + 6 * histogramBytes);
    addOne(cell + load<u8>(bins, 7) + 7 * histogramBytes);
  }

  /** Counts row `row` in one histogram; `table` is the address of the table of bins. */
  @inline
  static addFacet(cell: usize, table: usize, facet: usize, row: usize): void {
    const bins = load<u32>(table + 4 * facet) as usize;
    addOne(cell + facet * histogramBytes + load<u8>(bins + facetCount * row));
  }

  @inline
  static add(cell: usize, table: usize, row: usize): void {
    Cell.addFacet(cell, table, 0, row);
    Cell.addFacet(cell, table, 1, row);
    Cell.addFacet(cell, table, 2, row);
    Cell.addFacet(cell, table, 3, row);
    Cell.addFacet(cell, table, 4, row);
    Cell.addFacet(cell, table, 5, row);
    Cell.addFacet(cell, table, 6, row);
    Cell.addFacet(cell, table, 7, row);
  }
}
