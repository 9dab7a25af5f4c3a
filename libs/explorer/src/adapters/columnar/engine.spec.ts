import { searchEngineContract } from '../../testing/search-engine.contract.ts';
import { createColumnarEngine } from './engine.ts';

searchEngineContract('the columnar engine', async () => {
  const engine = createColumnarEngine();
  return {
    engine,
    load: async (rows, edges) => engine.load(rows, { edges }),
    apply: async (updates) => engine.apply(updates, engine.position() + 1n),
    close: engine.close,
  };
});
