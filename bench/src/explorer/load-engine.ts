import { createColumnarEngine, type ColumnarEngine } from '@tapedeck/columnar/engine';
import { catalogueRows } from './catalogue.ts';
import { watchLoop } from '../event-loop.ts';

/** The memory of the whole process: the engine's columns are not in Node's heap. */
const residentBytes = (): number => {
  globalThis.gc?.();
  return process.memoryUsage.rss();
};

export type Loaded = Readonly<{
  engine: ColumnarEngine;
  /** Includes the generation of the rows by the benchmark. */
  seconds: number;
  maxBlockMs: number;
  /** The growth of the process. */
  megabytes: number;
}>;

export const loadEngine = async (rows: number): Promise<Loaded> => {
  const before = residentBytes();
  const engine = createColumnarEngine();
  const { millis, maxBlockMs } = await watchLoop(() =>
    engine.load(catalogueRows(rows), { expectedRows: rows }),
  );
  const megabytes = (residentBytes() - before) / 2 ** 20;
  return { engine, seconds: millis / 1_000, maxBlockMs, megabytes };
};
