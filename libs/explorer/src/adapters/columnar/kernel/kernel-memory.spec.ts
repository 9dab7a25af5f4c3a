import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from '@jest/globals';
import { javascriptKernel } from './javascript-kernel.ts';
import { binStride, facetCount, mostCells } from './kernel.ts';
import { filterColumns, layoutFor, memoryFor } from './layout.ts';
import { bestKernel, simdKernel } from './simd-kernel.ts';

const openRanges = Uint16Array.from({ length: 2 * facetCount }, (_, end) => (end % 2 === 0 ? 0 : 65_535));
const firstMatrix = new Uint8Array(facetCount);
const cellStride = facetCount * binStride;

describe.each([
  ['JavaScript', javascriptKernel],
  ['SIMD', simdKernel],
])('the memory of the %s kernel', (_, factory) => {
  const layout = layoutFor(1);
  const memory = memoryFor(layout);
  const kernel = factory(memory, layout);

  it('may be filled by another thread', async () => {
    // Row r gets code r + 1 and bin r % 40 in every facet.
    const fill = `
      const { layout, buffer } = require('node:worker_threads').workerData;
      const codes = new Uint16Array(buffer, layout.codes, 8 * layout.capacity);
      const bins = new Uint8Array(buffer, layout.bins[0], 8 * layout.capacity);
      codes.forEach((_, place) => (codes[place] = (place % layout.capacity) + 1));
      bins.forEach((_, place) => (bins[place] = 4 * (Math.floor(place / 8) % 40)));
    `;
    await once(new Worker(fill, { eval: true, workerData: { layout, buffer: memory.buffer } }), 'exit');
    const counts = new Uint32Array(cellStride);
    const ranges = openRanges.with(0, 101).with(1, 200);
    kernel.mask.fill(0);
    expect(kernel.refresh({ size: 4_000, ranges, matrices: firstMatrix, counts })).toBe(100);
    // Facet 0 ignores its own range, the others see rows 100 to 199: bins 20 to 39 three times, 0 to 19 twice.
    expect(Array.from(counts.subarray(0, 40))).toEqual(Array.from({ length: 40 }, () => 100));
    expect(Array.from(counts.subarray(binStride, binStride + 40))).toEqual(
      Array.from({ length: 40 }, (_, bin) => (bin < 20 ? 2 : 3)),
    );
  });

  it('has room for as many cells as a brush may have', () => {
    const codes = new Uint16Array(memory.buffer, layout.codes, layout.capacity);
    codes.forEach((_, row) => (codes[row] = row));
    kernel.mask.fill(0);
    const before = new Uint8Array(memory.buffer.slice(layout.mask));
    const hits = new Uint32Array(mostCells);
    const counts = new Uint32Array(mostCells * cellStride);
    const cellOf = Uint16Array.from({ length: 65_536 }, (_, code) => code % mostCells);
    const job = {
      ranges: openRanges,
      matrices: firstMatrix,
      active: 0,
      cellOf,
      cells: mostCells,
      hits,
      counts,
    };
    kernel.brush({ ...job, from: 0, to: 4_096 });
    expect([...hits]).toEqual(Array.from({ length: mostCells }, (_, cell) => (cell < 256 ? 6 : 5)));
    const inLast = counts.slice((mostCells - 1) * cellStride + 7 * binStride);
    expect(inLast.reduce((sum, count) => sum + count, 0)).toBe(5);
    // Nothing was written behind the working memory.
    expect(Buffer.compare(before, new Uint8Array(memory.buffer.slice(layout.mask)))).toBe(0);
  });

  it('keeps nothing of a brush for the refresh that follows', () => {
    const counts = new Uint32Array(cellStride);
    kernel.mask.fill(0);
    expect(kernel.refresh({ size: 4_096, ranges: openRanges, matrices: firstMatrix, counts })).toBe(4_096);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(facetCount * 4_096);
  });

  it('is kept to: a job that reaches beyond it is refused', () => {
    const counts = new Uint32Array(cellStride);
    const job = { ranges: openRanges, matrices: firstMatrix, counts };
    const cellOf = new Uint16Array(65_536);
    const brush = { ...job, from: 0, to: 10, active: 0, cellOf, cells: 1, hits: new Uint32Array(1) };
    const wrongCells = cellOf.with(65_535, 1);
    expect(() => kernel.refresh({ ...job, size: 4_097 })).toThrow(/room for 4096/);
    expect(() => kernel.refresh({ ...job, size: 1, matrices: firstMatrix.with(7, 3) })).toThrow(/^matrices/);
    expect(() => kernel.refresh({ ...job, size: 1, counts: new Uint32Array(8) })).toThrow(/^counts/);
    expect(() => kernel.brush({ ...brush, from: 5 })).toThrow(/^from is 5/);
    expect(() => kernel.brush({ ...brush, active: 8 })).toThrow(/^active is 8/);
    expect(() => kernel.brush({ ...brush, cells: 2 })).toThrow(/^hits/);
    expect(() => kernel.brush({ ...brush, cells: 1_000 })).toThrow(/^cells is 1000/);
    expect(() => kernel.brush({ ...brush, cellOf: wrongCells })).toThrow(/^cellOf names/);
    expect(() => kernel.excludeOutside(filterColumns.length, 0, 1, 10)).toThrow(/^column is 5/);
    expect(() => kernel.excludeWithout(0, 1, 5_000)).toThrow(/room for 4096/);
  });
});

describe('the best kernel', () => {
  it('is the one with SIMD, or JavaScript where that is not understood', () => {
    expect(bestKernel()).toBe(simdKernel);
    expect(bestKernel(() => false)).toBe(javascriptKernel);
  });
});
