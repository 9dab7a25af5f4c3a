import { readFileSync } from 'node:fs';
import { checkBrush, checkFilter, checkPiece, checkRefresh } from './check-job.ts';
import { javascriptKernel } from './testing/reference-kernel.ts';
import { binStride, bucketCount, facetCount, mostCells, mostCodes, type KernelFactory } from './kernel.ts';
import { webAssembly, type CompiledModule } from './web-assembly.ts';

type Offset = Readonly<{ value: number }>;

/** What `assembly/kernel.ts` exports. Offsets are bytes from the beginning of the working memory. */
type Exports = Readonly<{
  place: (
    scratch: number,
    mask: number,
    buckets: number,
    codes: number,
    filters: number,
    capacity: number,
  ) => void;
  excludeOutside: (column: number, low: number, high: number, size: number) => void;
  excludeWithout: (column: number, bits: number, size: number) => void;
  beginRefresh: () => void;
  refresh: (from: number, to: number) => void;
  endRefresh: () => number;
  beginBrush: (cells: number) => void;
  brush: (from: number, to: number, active: number) => void;
  endBrush: (active: number, cells: number) => void;
  rangesOffset: Offset;
  countsOffset: Offset;
  binsOffset: Offset;
  cellOfOffset: Offset;
  hitsOffset: Offset;
  cellsOffset: Offset;
}>;

// As deep below the room in `dist` as in `src`.
const binary = new URL('../../../../assembly/kernel.wasm', import.meta.url);
const readBinary = (): Uint8Array => readFileSync(binary);

let compiled: CompiledModule | undefined;
const compile = (): CompiledModule => (compiled ??= new webAssembly.Module(readBinary()));

/** The kernel in WebAssembly, 2 to 16 rows an instruction. */
export const simdKernel: KernelFactory = (memory, layout) => {
  const { buffer } = memory;
  const instance = new webAssembly.Instance(compile(), { env: { memory } });
  // What a compiled module exports has no types; `npm run check` holds the binary to its source.
  const wasm = instance.exports as unknown as Exports;
  wasm.place(layout.scratch, layout.mask, layout.buckets, layout.codes, layout.filters, layout.capacity);

  const wordsAt = ({ value }: Offset, length: number): Uint32Array =>
    new Uint32Array(buffer, layout.scratch + value, length);
  const bytesAt = ({ value }: Offset, length: number): Uint8Array =>
    new Uint8Array(buffer, layout.scratch + value, length);
  const ranges = bytesAt(wasm.rangesOffset, 2 * facetCount);
  const counts = wordsAt(wasm.countsOffset, facetCount * binStride);
  const bins = bytesAt(wasm.binsOffset, facetCount * bucketCount);
  const cellOf = new Uint16Array(buffer, layout.scratch + wasm.cellOfOffset.value, mostCodes);
  const hits = wordsAt(wasm.hitsOffset, mostCells);
  const cellCounts = wordsAt(wasm.cellsOffset, mostCells * facetCount * binStride);

  return {
    layout,
    mask: new Uint8Array(buffer, layout.mask, layout.capacity),
    excludeOutside: (column, low, high, size) => {
      checkFilter(column, size, layout);
      wasm.excludeOutside(column, low, high, size);
    },
    excludeWithout: (column, bits, size) => {
      checkFilter(column, size, layout);
      wasm.excludeWithout(column, bits, size);
    },
    refresh: (job) => {
      checkRefresh(job);
      ranges.set(job.ranges);
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
      checkBrush(job);
      const { active, cells } = job;
      ranges.set(job.ranges);
      cellOf.set(job.cellOf);
      bins.set(job.bins);
      wasm.beginBrush(cells);
      return {
        count: (from, to) => {
          checkPiece(from, to, layout);
          wasm.brush(from, to, active);
        },
        done: () => {
          wasm.endBrush(active, cells);
          return {
            hits: hits.subarray(0, cells),
            counts: cellCounts.subarray(0, cells * facetCount * binStride),
          };
        },
      };
    },
  };
};

/** The fastest kernel that this machine can run. */
export const bestKernel = (accepts: (bytes: Uint8Array) => boolean = webAssembly.validate): KernelFactory =>
  accepts(readBinary()) ? simdKernel : javascriptKernel;
