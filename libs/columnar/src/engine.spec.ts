import { searchEngineContract, type TestEngine } from '@tapedeck/search-engine/testing/contract';
import { createColumnarEngine } from './engine.ts';

const subject = async (): Promise<TestEngine> => {
  const engine = createColumnarEngine();
  return {
    engine,
    load: async (rows, edges) => engine.load(rows, { edges }),
    apply: async (updates) => engine.apply(updates, engine.position() + 1n),
    close: engine.close,
  };
};

searchEngineContract('the columnar engine', subject);
