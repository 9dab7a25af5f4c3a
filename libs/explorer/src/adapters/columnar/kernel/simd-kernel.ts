import { readFileSync } from 'node:fs';
import { checkBrush, checkCells, checkFilter, checkRefresh } from './check-job.ts';
import { javascriptKernel } from './javascript-kernel.ts';
import { binStride, facetCount, mostCells, type KernelFactory, type RefreshJob } from './kernel.ts';
import { webAssembly, type CompiledModule } from './web-assembly.ts';

type Offset = Readonly<{ value: number }>;

/** What `assembly/kernel.ts` exports. Offsets are bytes from the beginning of the working memory. */
type Exports = Readonly<{
  place: (scratch: number, mask: number, codes: number, filters: number, capacity: number) => void;
  excludeOutside: (column: number, low: number, high: number, size: number) => void;
  excludeWithout: (column: number, bits: number, size: number) => void;
  refresh: (size: number) => number;
  cellsSuffice: (cells: number) => number;
  brush: (from: number, to: number, active: number, cells: number) => void;
  rangesOffset: Offset;
  binsOffset: Offset;
  countsOffset: Offset;
  cellOfOffset: Offset;
  hitsOffset: Offset;
  cellsOffset: Offset;
}>;

// As deep below the room in `dist` as in `src`.
const binary = new URL('../../../../assembly/kernel.wasm', import.meta.url);
const readBinary = (): Uint8Array => readFileSync(binary);

let compiled: CompiledModule | undefined;
const compile = (): CompiledModule => (compiled ??= new webAssembly.Module(readBinary()));

/** The kernel in WebAssembly, 8 to 16 rows an instruction. */
export const simdKernel: KernelFactory = (memory, layout) => {
  const { buffer } = memory;
  const instance = new webAssembly.Instance(compile(), { env: { memory } });
  // What a compiled module exports has no types; `npm run check` holds the binary to its source.
  const wasm = instance.exports as unknown as Exports;
  wasm.place(layout.scratch, layout.mask, layout.codes, layout.filters, layout.capacity);

  const wordsAt = ({ value }: Offset, length: number): Uint32Array =>
    new Uint32Array(buffer, layout.scratch + value, length);
  const codesAt = ({ value }: Offset, length: number): Uint16Array =>
    new Uint16Array(buffer, layout.scratch + value, length);
  const ranges = codesAt(wasm.rangesOffset, 2 * facetCount);
  const bins = wordsAt(wasm.binsOffset, facetCount);
  const counts = wordsAt(wasm.countsOffset, facetCount * binStride);
  const cellOf = codesAt(wasm.cellOfOffset, 65_536);
  const hits = wordsAt(wasm.hitsOffset, mostCells);
  const cellCounts = wordsAt(wasm.cellsOffset, mostCells * facetCount * binStride);

  const hand = (job: Pick<RefreshJob, 'ranges' | 'matrices'>): void => {
    ranges.set(job.ranges);
    job.matrices.forEach((matrix, facet) => (bins[facet] = (layout.bins[matrix] ?? 0) + facet));
  };

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
      checkRefresh(job, layout);
      hand(job);
      const total = wasm.refresh(job.size);
      job.counts.set(counts);
      return total;
    },
    brush: (job) => {
      checkBrush(job, layout);
      hand(job);
      cellOf.set(job.cellOf);
      checkCells(job.cells, wasm.cellsSuffice(job.cells) !== 0);
      hits.set(job.hits);
      cellCounts.set(job.counts);
      wasm.brush(job.from, job.to, job.active, job.cells);
      job.hits.set(hits.subarray(0, job.hits.length));
      job.counts.set(cellCounts.subarray(0, job.counts.length));
    },
  };
};

/** The fastest kernel that this machine can run. */
export const bestKernel = (accepts: (bytes: Uint8Array) => boolean = webAssembly.validate): KernelFactory =>
  accepts(readBinary()) ? simdKernel : javascriptKernel;
