// What the caller sees. It gives addresses in bytes and numbers of rows.
import { placeColumns } from './columns';
import { fillPlaces } from './lists';
import { placeScratch } from './scratch';

export { beginBrush, brush, endBrush } from './brush';
export { excludeOutside, excludeWithout } from './columns';
export { beginRefresh, endRefresh, refresh } from './refresh';
export {
  binsOffset,
  cellOfOffset,
  cellsOffset,
  countsOffset,
  hitsOffset,
  mostCells,
  mostCodes,
  rangesOffset,
  scratchBytes,
} from './scratch';

/** Says where everything stands. Comes before anything else. */
export function place(
  scratchAt: usize,
  mask: usize,
  buckets: usize,
  codes: usize,
  filters: usize,
  capacity: usize,
): void {
  placeScratch(scratchAt);
  fillPlaces();
  placeColumns(mask, buckets, codes, filters, capacity);
}
