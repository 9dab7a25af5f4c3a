import { searchEngineContract, type TestEngine } from '../../testing/search-engine.contract.ts';
import { createColumnarEngine, type EngineOptions } from './engine.ts';
import { javascriptKernel } from './kernel/testing/reference-kernel.ts';

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
// The kernels are compared with each other in their own tests.
searchEngineContract('the columnar engine without SIMD', subject({ kernel: javascriptKernel }), {
  catalogues: 12,
  queriesPerCatalogue: 8,
  maxRows: 200,
  demoRows: 900,
  demoQueries: 20,
});
