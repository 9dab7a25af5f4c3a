import { searchEngineContract, type TestEngine } from '@tapedeck/search-engine/testing/contract';
import { createColumnarEngine, type EngineOptions } from './engine.ts';
import { referenceKernel } from './kernel/testing/reference-kernel.ts';

const subject = (options: EngineOptions) => async (): Promise<TestEngine> => {
  const engine = createColumnarEngine(options);
  return {
    engine,
    load: async (rows, edges) => engine.load(rows, { edges }),
    apply: async (updates) => engine.apply(updates, engine.position() + 1n),
    close: engine.close,
  };
};

searchEngineContract('the columnar engine', subject({}));
// Fewer cases: the specs of the kernel compare both kernels with each other.
searchEngineContract('the columnar engine with the reference kernel', subject({ kernel: referenceKernel }), {
  catalogues: 12,
  queriesPerCatalogue: 8,
  maxRows: 200,
  demoRows: 900,
  demoQueries: 20,
});
