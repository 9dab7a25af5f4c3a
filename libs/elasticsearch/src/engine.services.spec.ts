import { describe, expect, it } from '@jest/globals';
import { computeEdges } from '@tapedeck/search-engine/catalogue';
import { defaultScale, facetRecord } from '@tapedeck/search-engine/contract';
import { toSearchFilter } from '@tapedeck/search-engine/port';
import { randomRows, seededRandom } from '@tapedeck/search-engine/testing';
import { searchEngineContract } from '@tapedeck/search-engine/testing/contract';
import { elasticsearchTestEngine } from './testing/elasticsearch-test-engine.ts';

// Loading a catalogue is slow here: few of them, with many requests each.
searchEngineContract('Elasticsearch', elasticsearchTestEngine, {
  catalogues: 20,
  queriesPerCatalogue: 100,
  maxRows: 200,
  demoQueries: 250,
  timeoutMs: 900_000,
});

describe('the Elasticsearch engine', () => {
  it('rejects a search when its signal is aborted', async () => {
    const { engine, load, close } = await elasticsearchTestEngine();
    const edges = computeEdges(facetRecord(() => new Float64Array(0)));
    await load(randomRows(seededRandom(3), 50), { version: 1, known: facetRecord(() => 0), edges });
    const filter = toSearchFilter({});
    const controller = new AbortController();
    const { signal } = controller;
    const running = engine.search({ filter, histograms: defaultScale }, { signal });
    controller.abort();
    await expect(running).rejects.toThrow('aborted');
    await expect(engine.search({ filter }, { signal })).rejects.toThrow('aborted');
    await close();
  });
});
