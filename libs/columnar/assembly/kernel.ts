// The functions that the engine calls. Addresses are in bytes, sizes in rows.
import { setColumns } from './columns';
import { fillBitPositions } from './lists';
import { setScratch } from './scratch';

export { beginBrush, brush, endBrush } from './brush';
export { excludeOutside, excludeWithout } from './columns';
export { beginRefresh, endRefresh, refresh } from './refresh';
export { binsOffset, cellOfOffset, cellsOffset, countsOffset, hitsOffset, rangesOffset } from './scratch';

/** Sets the addresses of the working memory and the columns. Has to be called before all other functions. */
export function setLayout(
  scratch: usize,
  mask: usize,
  buckets: usize,
  codes: usize,
  filters: usize,
  capacity: usize,
): void {
  setScratch(scratch);
  fillBitPositions();
  setColumns(mask, buckets, codes, filters, capacity);
}
