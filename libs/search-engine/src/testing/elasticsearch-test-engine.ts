import { randomBytes } from 'node:crypto';
import { writeRows, writeStanding, type Writing } from '../adapters/elasticsearch/writer/bulk.ts';
import { createClient } from '../adapters/elasticsearch/client.ts';
import { writesOf } from '../adapters/elasticsearch/index/documents.ts';
import { createElasticsearchEngine } from '../adapters/elasticsearch/engine.ts';
import {
  createIndex,
  deleteIndexes,
  pointAlias,
  refreshIndex,
} from '../adapters/elasticsearch/index/index-admin.ts';
import { createViews } from '../adapters/elasticsearch/snapshots.ts';
import type { EdgeSet, FacetEdges } from '../catalogue/edges.ts';
import type { RowUpdate } from '../search-port.ts';
import type { TestEngine } from './search-engine.contract.ts';

/** The server that `npm run test:services` has started. */
export const testServerUrl = (): string => {
  const url = process.env['TEST_ELASTICSEARCH_URL'];
  if (url) return url;
  throw new Error('TEST_ELASTICSEARCH_URL is not set: run these tests through `npm run test:services`.');
};

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** The engine on an index of its own, without the projector. */
export const elasticsearchTestEngine = async (): Promise<TestEngine> => {
  const client = createClient({ url: testServerUrl() });
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
  const newest = new Map<string, Readonly<{ version: number; demo: boolean }>>();
  const note = (update: RowUpdate): void => {
    const isPut = update.op === 'put';
    const { urlId, version } = isPut ? update.row : update;
    if (version > (newest.get(urlId)?.version ?? -1)) {
      newest.set(urlId, { version, demo: isPut && update.row.demo });
    }
  };

  const write = async (updates: readonly RowUpdate[]): Promise<void> => {
    const writing: Writing = { client, index, logger: silent, signal: new AbortController().signal };
    updates.forEach(note);
    await writeRows(writing, writesOf(updates));
    position++;
    await writeStanding(writing, {
      catalogue: 'test',
      position: String(position),
      reached: String(position),
      demo: [...newest.values()].some(({ demo }) => demo),
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
      newest.clear();
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
