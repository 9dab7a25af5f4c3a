import { expect, it } from '@jest/globals';
import { defaultScale, facetRecord } from '../../contract.ts';
import { toSearchFilter } from '../../search-filter.ts';
import { elasticsearchTestEngine } from '../../testing/elasticsearch-test-engine.ts';
import { seededRandom, randomRows } from '../../testing/random-catalogue.ts';
import { searchEngineContract } from '../../testing/search-engine.contract.ts';
import { computeEdges } from '../../catalogue/edges.ts';

// To load a catalogue is dear: few of them, and many questions each.
searchEngineContract('Elasticsearch', elasticsearchTestEngine, {
  catalogues: 20,
  queriesPerCatalogue: 100,
  maxRows: 200,
  demoQueries: 250,
  patience: 900_000,
});

it('gives a question up with its signal', async () => {
  const subject = await elasticsearchTestEngine();
  const edges = computeEdges(facetRecord(() => new Float64Array(0)));
  await subject.load(randomRows(seededRandom(3), 50), { version: 1, known: facetRecord(() => 0), edges });
  const filter = toSearchFilter({});
  const giveUp = new AbortController();
  const asked = subject.engine.search({ filter, histograms: defaultScale }, { signal: giveUp.signal });
  giveUp.abort();
  await expect(asked).rejects.toThrow('aborted');
  await expect(subject.engine.search({ filter }, { signal: giveUp.signal })).rejects.toThrow('aborted');
  await subject.close();
});
