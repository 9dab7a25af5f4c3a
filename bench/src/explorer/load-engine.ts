import {
  createColumnarEngine,
  type ColumnarEngine,
  type EngineOptions,
} from '@tapedeck/search-engine/engine';
import { catalogueRows } from './catalogue.ts';
import { watchLoop } from './event-loop.ts';

/** All of the process: the engine's columns are outside of what Node calls its heap. */
const residentBytes = (): number => {
  globalThis.gc?.();
  return process.memoryUsage.rss();
};

export type Loaded = Readonly<{
  engine: ColumnarEngine;
  /** Seconds with the making of the rows, which is the benchmark's own work. */
  seconds: number;
  longestBlock: number;
  /** By which the process has grown. */
  megabytes: number;
}>;

export const loadEngine = async (rows: number, options: EngineOptions = {}): Promise<Loaded> => {
  const before = residentBytes();
  const engine = createColumnarEngine(options);
  const { millis, longestBlock } = await watchLoop(() =>
    engine.load(catalogueRows(rows), { expectedRows: rows }),
  );
  const megabytes = (residentBytes() - before) / 2 ** 20;
  return { engine, seconds: millis / 1_000, longestBlock, megabytes };
};
