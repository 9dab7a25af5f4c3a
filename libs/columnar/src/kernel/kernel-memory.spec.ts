import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from '@jest/globals';
import {
  binOffset,
  binStride,
  bucketCount,
  filterColumns,
  layoutFor,
  maxIntervals,
  maxCodes,
  memoryFor,
} from './layout.ts';
import { compileKernel, simdKernel } from './simd-kernel.ts';
import { facetCounts } from './testing/random-columns.ts';

const rows = 2_048;

describe.each(facetCounts)('the memory of the kernel with %i facets', (facets) => {
  const layout = layoutFor(1, facets);
  const { stride, histograms } = layout;
  const memory = memoryFor(layout);
  const kernel = simdKernel(memory, layout);
  const openRanges = Uint8Array.from({ length: 2 * facets }, (_, end) => (end < facets ? 0 : 255));
  /** Four buckets to a bin. */
  const bins = Uint8Array.from(
    { length: facets * bucketCount },
    (_, index) => binOffset * ((index % bucketCount) >> 2),
  );

  it('can be filled by another thread', async () => {
    // Row r gets bucket r % 200 in every facet.
    const fill = `
      const { layout, buffer } = require('node:worker_threads').workerData;
      const { buckets, stride, facets, capacity } = layout;
      const bytes = new Uint8Array(buffer, buckets, stride * capacity);
      bytes.forEach((_, index) => {
        if (index % stride < facets) bytes[index] = Math.floor(index / stride) % 200;
      });
    `;
    await once(new Worker(fill, { eval: true, workerData: { layout, buffer: memory.buffer } }), 'exit');
    const ranges = openRanges.with(0, 100).with(facets, 149);
    kernel.mask.fill(0);
    const pass = kernel.refresh({ ranges, bins });
    pass.count(0, 2_000);
    const { total, counts } = pass.done();
    expect(total).toBe(500);
    const binsOfFacet = (facet: number): number[] => [...counts.subarray(facet * binStride).subarray(0, 51)];
    // Facet 0 ignores its own range, the others see buckets 100 to 149: bins 25 to 36 whole and half of bin 37.
    const ignoring = [...Array.from({ length: 50 }, () => 40), 0];
    const seeing = Array.from({ length: 51 }, (_, bin) => (bin < 25 || bin > 37 ? 0 : bin === 37 ? 20 : 40));
    for (let facet = 0; facet < facets; facet++) {
      expect([facet, ...binsOfFacet(facet)]).toEqual([facet, ...(facet === 0 ? ignoring : seeing)]);
    }
  });

  it('has room for the maximum number of intervals', () => {
    const codes = new Uint16Array(memory.buffer, layout.codes, layout.capacity);
    codes.forEach((_, row) => (codes[row] = row % maxCodes));
    const buckets = new Uint8Array(memory.buffer, layout.buckets, stride * layout.capacity);
    buckets.fill(254);
    kernel.mask.fill(0);
    const before = Buffer.from(memory.buffer.slice(layout.mask));
    const intervalOf = Uint16Array.from({ length: maxCodes }, (_, code) => code % maxIntervals);
    const pass = kernel.brush({ ranges: openRanges, bins, active: 0, intervalOf, intervals: maxIntervals });
    pass.count(0, rows);
    const { hits, counts } = pass.done();
    expect([...hits]).toEqual(
      Array.from({ length: maxIntervals }, (_, interval) => (interval < 256 ? 4 : 2)),
    );
    // The last counter of the last facet's histogram; the active facet has none.
    const last = (maxIntervals - 1) * histograms + facets - 1;
    expect(counts[(last + 1) * binStride - 1]).toBe(facets === 1 ? 0 : 2);
    // Nothing was written after the end of the working memory.
    expect(before.equals(Buffer.from(memory.buffer.slice(layout.mask)))).toBe(true);
  });

  it('is cleared between two passes', () => {
    kernel.mask.fill(0);
    const refresh = kernel.refresh({ ranges: openRanges, bins });
    refresh.count(0, rows);
    const { total, counts } = refresh.done();
    expect([total, counts.reduce((sum, count) => sum + count, 0)]).toEqual([rows, facets * rows]);
    const intervalOf = new Uint16Array(maxCodes);
    const pass = kernel.brush({ ranges: openRanges, bins, active: facets - 1, intervalOf, intervals: 1 });
    pass.count(0, 100);
    const once = pass.done();
    expect([...once.hits]).toEqual([100]);
    const used = once.counts.subarray(0, facets * binStride);
    expect(used.reduce((sum, count) => sum + count, 0)).toBe((facets - 1) * 100);
  });

  it('is never exceeded: a job that reaches beyond it is refused', () => {
    const job = { ranges: openRanges, bins };
    const intervalOf = new Uint16Array(maxCodes);
    const brush = { ...job, active: 0, intervalOf, intervals: 1 };
    const wrongIntervals = intervalOf.with(maxCodes - 1, 1);
    expect(() => kernel.refresh(job).count(0, 2_049)).toThrow(/room for 2048/);
    expect(() => kernel.refresh({ ...job, ranges: openRanges.subarray(1) })).toThrow(/^ranges/);
    expect(() => kernel.refresh({ ...job, bins: bins.subarray(1) })).toThrow(/^bins/);
    expect(() => kernel.refresh(job).count(5, 10)).toThrow(/^from is 5/);
    expect(() => kernel.brush(brush).count(5, 10)).toThrow(/^from is 5/);
    expect(() => kernel.brush(brush).count(0, 2_049)).toThrow(/room for 2048/);
    expect(() => kernel.brush({ ...brush, active: facets })).toThrow(`active is ${facets}`);
    expect(() => kernel.brush({ ...brush, intervals: 1_000 })).toThrow(/^intervals is 1000/);
    expect(() => kernel.brush({ ...brush, intervalOf: wrongIntervals })).toThrow(/^intervalOf names/);
    expect(() => kernel.excludeOutside(filterColumns.length, 0, 1, 10)).toThrow(/^column is 5/);
    expect(() => kernel.excludeWithout(0, 1, 5_000)).toThrow(/room for 2048/);
  });
});

describe('compiling the kernel', () => {
  it('fails with an error that names the requirement when the runtime lacks WebAssembly SIMD', () => {
    expect(() => compileKernel(new Uint8Array(8))).toThrow(/needs WebAssembly SIMD.*use Node 20\.19/);
  });
});
