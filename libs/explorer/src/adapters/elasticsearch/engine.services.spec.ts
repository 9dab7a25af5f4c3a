import { randomBytes } from 'node:crypto';
import type { EdgeSet, FacetEdges } from '../../edges.ts';
import { searchEngineContract, type EngineUnderTest } from '../../testing/search-engine.contract.ts';
import type { RowUpdate } from '../../search-port.ts';
import { writeRows, writeStanding, type Writing } from './bulk.ts';
import { createClient } from './client.ts';
import { writesOf } from './documents.ts';
import { createElasticsearchEngine } from './engine.ts';
import { createIndex, deleteIndexes, pointAlias, refreshIndex } from './index-files.ts';
import { createViews } from './views.ts';

const serverUrl = process.env['TEST_ELASTICSEARCH_URL'] ?? '';
const silent = { info: () => {}, warn: () => {}, error: () => {} };

const startSubject = async (): Promise<EngineUnderTest> => {
  const client = createClient({ url: serverUrl });
  const name = `contract-${randomBytes(4).toString('hex')}`;
  const versions = new Map<number, FacetEdges>();
  const views = createViews({
    client,
    index: name,
    edgesOf: async (version) => {
      const edges = versions.get(version);
      if (!edges) throw new Error(`There are no edges of version ${version}.`);
      return edges;
    },
  });
  let index = '';
  let position = 0n;
  let edgeVersion = 0;
  /** By id, to know whether rows of the demo catalogue are left. */
  const demo = new Map<string, boolean>();

  const write = async (updates: readonly RowUpdate[]): Promise<void> => {
    const writing: Writing = { client, index, logger: silent, signal: new AbortController().signal };
    for (const update of updates) {
      if (update.op === 'put') demo.set(update.row.urlId, update.row.demo);
      else demo.delete(update.urlId);
    }
    await writeRows(writing, writesOf(updates));
    position++;
    await writeStanding(writing, {
      catalogue: 'test',
      position: String(position),
      reached: String(position),
      demo: [...demo.values()].includes(true),
      edges: edgeVersion,
    });
    await refreshIndex(client, index);
    await pointAlias(client, name, index);
    await views.open();
  };

  return {
    engine: createElasticsearchEngine({ client, views }),
    load: async (rows, edges: EdgeSet) => {
      const before = index;
      index = `${name}-${++edgeVersion}`;
      versions.set(edgeVersion, edges.edges);
      demo.clear();
      await createIndex(client, index);
      await write(rows.map((row) => ({ op: 'put', row })));
      if (before !== '') await deleteIndexes(client, [before]);
    },
    apply: write,
    close: async () => {
      await views.close();
      await deleteIndexes(client, [index]);
      await client.close();
    },
  };
};

searchEngineContract('Elasticsearch', startSubject, {
  catalogues: 20,
  queriesPerCatalogue: 20,
  mostRows: 200,
});
