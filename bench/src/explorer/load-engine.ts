import { createColumnarEngine, type ColumnarEngine } from '@tapedeck/explorer/engine';
import { catalogueRows } from './catalogue.ts';
import { watchLoop } from './event-loop.ts';

const heldBytes = (): number => {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

export type Loaded = Readonly<{
  engine: ColumnarEngine;
  /** Seconds with the making of the rows, which is the benchmark's own work. */
  seconds: number;
  longestBlock: number;
  megabytes: number;
}>;

export const loadEngine = async (rows: number): Promise<Loaded> => {
  const before = heldBytes();
  const engine = createColumnarEngine();
  const { millis, longestBlock } = await watchLoop(async () => engine.load(catalogueRows(rows)));
  return { engine, seconds: millis / 1_000, longestBlock, megabytes: (heldBytes() - before) / 2 ** 20 };
};
