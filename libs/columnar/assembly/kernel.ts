// The functions that the engine calls. Addresses are in bytes, sizes in rows.
import { setColumns } from './columns';
import { fillBitPositions } from './lists';
import { setScratch } from './scratch';

export { beginBrush, brush, endBrush } from './brush';
export { excludeOutside, excludeWithout } from './columns';
export { beginRefresh, endRefresh, refresh } from './refresh';
export {
  binsOffset,
  intervalOfOffset,
  intervalsOffset,
  countsOffset,
  facetStride,
  hitsOffset,
  rangesOffset,
} from './scratch';

/** Sets the number of facets, and the addresses of the working memory and the columns. To be called before all others. */
export function setLayout(
  scratch: usize,
  mask: usize,
  buckets: usize,
  codes: usize,
  filters: usize,
  capacity: usize,
  facets: usize,
): void {
  setScratch(scratch, facets);
  fillBitPositions();
  setColumns(mask, buckets, codes, filters, capacity);
}
