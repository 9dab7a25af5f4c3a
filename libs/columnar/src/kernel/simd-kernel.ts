import { readFileSync } from 'node:fs';
import { checkBrush, checkFilter, checkPiece, checkRefresh } from './check-jobs.ts';
import type { FacetStride } from './facet-limit.ts';
import type { KernelFactory } from './kernel.ts';
import {
  binStride,
  bucketCount,
  maskIn,
  maxIntervals,
  maxCodes,
  webAssembly,
  type CompiledModule,
} from './layout.ts';

type Offset = Readonly<{ value: number }>;

/** What `assembly/kernel.ts` exports. Offsets are bytes from the start of the working memory. */
type Exports = Readonly<{
  setLayout: (
    scratch: number,
    mask: number,
    buckets: number,
    codes: number,
    filters: number,
    capacity: number,
    facets: number,
  ) => void;
  excludeOutside: (column: number, low: number, high: number, size: number) => void;
  excludeWithout: (column: number, bits: number, size: number) => void;
  beginRefresh: () => void;
  refresh: (from: number, to: number) => void;
  endRefresh: () => number;
  beginBrush: (intervals: number) => void;
  brush: (from: number, to: number, active: number) => void;
  endBrush: (active: number, intervals: number) => void;
  rangesOffset: Offset;
  countsOffset: Offset;
  binsOffset: Offset;
  intervalOfOffset: Offset;
  hitsOffset: Offset;
  intervalsOffset: Offset;
}>;

// At the same depth below the package in `dist` as in `src`.
const binary = (stride: FacetStride): URL => new URL(`../../assembly/kernel${stride}.wasm`, import.meta.url);

/** @throws Error when this runtime has no WebAssembly SIMD; every Node since 16.4 has it. */
export const compileKernel = (bytes: Uint8Array): CompiledModule => {
  try {
    return new webAssembly.Module(bytes);
  } catch (cause) {
    throw new Error(
      'The search engine needs WebAssembly SIMD, which this runtime cannot compile: use Node 20.19 or later.',
      { cause },
    );
  }
};

const compiled = new Map<FacetStride, CompiledModule>();
const compiledFor = (stride: FacetStride): CompiledModule => {
  const module = compiled.get(stride) ?? compileKernel(readFileSync(binary(stride)));
  compiled.set(stride, module);
  return module;
};

/** Processes up to 16 rows per instruction. */
export const simdKernel: KernelFactory = (memory, layout) => {
  const { buffer } = memory;
  const { facets, stride, histograms } = layout;
  const instance = new webAssembly.Instance(compiledFor(stride), { env: { memory } });
  // The exports of a compiled module have no types; `npm run check` compares the binary with its source.
  const wasm = instance.exports as unknown as Exports;
  wasm.setLayout(
    layout.scratch,
    layout.mask,
    layout.buckets,
    layout.codes,
    layout.filters,
    layout.capacity,
    facets,
  );

  const wordsAt = ({ value }: Offset, length: number): Uint32Array =>
    new Uint32Array(buffer, layout.scratch + value, length);
  const bytesAt = ({ value }: Offset, length: number): Uint8Array =>
    new Uint8Array(buffer, layout.scratch + value, length);
  const ranges = bytesAt(wasm.rangesOffset, 2 * stride);
  // Open, also after the last facet.
  ranges.fill(0, 0, stride).fill(bucketCount - 1, stride);
  const setRanges = (given: Uint8Array): void => {
    for (let facet = 0; facet < facets; facet++) {
      ranges[facet] = given[facet] ?? 0;
      ranges[stride + facet] = given[facets + facet] ?? 0;
    }
  };
  const counts = wordsAt(wasm.countsOffset, facets * binStride);
  const bins = bytesAt(wasm.binsOffset, facets * bucketCount);
  const intervalOf = new Uint16Array(buffer, layout.scratch + wasm.intervalOfOffset.value, maxCodes);
  const hits = wordsAt(wasm.hitsOffset, maxIntervals);
  const intervalCounts = wordsAt(wasm.intervalsOffset, maxIntervals * histograms * binStride);

  return {
    layout,
    mask: maskIn(memory, layout),
    excludeOutside: (column, low, high, size) => {
      checkFilter(column, size, layout);
      wasm.excludeOutside(column, low, high, size);
    },
    excludeWithout: (column, bits, size) => {
      checkFilter(column, size, layout);
      wasm.excludeWithout(column, bits, size);
    },
    refresh: (job) => {
      checkRefresh(job, layout);
      setRanges(job.ranges);
      bins.set(job.bins);
      wasm.beginRefresh();
      return {
        count: (from, to) => {
          checkPiece(from, to, layout);
          wasm.refresh(from, to);
        },
        done: () => ({ total: wasm.endRefresh(), counts }),
      };
    },
    brush: (job) => {
      checkBrush(job, layout);
      const { active, intervals } = job;
      setRanges(job.ranges);
      intervalOf.set(job.intervalOf);
      bins.set(job.bins);
      wasm.beginBrush(intervals);
      return {
        count: (from, to) => {
          checkPiece(from, to, layout);
          wasm.brush(from, to, active);
        },
        done: () => {
          wasm.endBrush(active, intervals);
          return {
            hits: hits.subarray(0, intervals),
            counts: intervalCounts.subarray(0, intervals * histograms * binStride),
          };
        },
      };
    },
  };
};
