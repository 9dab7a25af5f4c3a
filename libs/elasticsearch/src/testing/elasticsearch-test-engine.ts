import { randomBytes } from 'node:crypto';
import type { EdgeSet, FacetEdges } from '@tapedeck/search-engine/catalogue';
import type { RowUpdate } from '@tapedeck/search-engine/port';
import type { TestEngine } from '@tapedeck/search-engine/testing/contract';
import { createClient } from '../client.ts';
import { createElasticsearchEngine } from '../engine.ts';
import { documentWrites } from '../index/documents.ts';
import { createIndex, deleteIndexes, pointAlias, refreshIndex } from '../index/index-admin.ts';
import { createSearchQueue } from '../search-queue.ts';
import { createSnapshots } from '../snapshots.ts';
import { writeIndexState, writeRows, type BulkTarget } from '../writer/bulk.ts';
import { testServerUrl } from './elasticsearch-server.ts';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** The Elasticsearch engine on an index of its own, without the projector. */
export const elasticsearchTestEngine = async (): Promise<TestEngine> => {
  const client = createClient({ url: testServerUrl() });
  const name = `contract-${randomBytes(4).toString('hex')}`;
  const edgesByVersion = new Map<number, FacetEdges>();
  const snapshots = createSnapshots({
    client,
    index: name,
    edgesOf: async (version) => {
      const edges = edgesByVersion.get(version);
      if (!edges) throw new Error(`There are no edges of version ${version}.`);
      return edges;
    },
  });
  let index = '';
  let position = 0n;
  let edgeVersion = 0;
  /** By id, to know whether rows of the demo catalogue are left. */
  const newest = new Map<string, Readonly<{ version: number; demo: boolean }>>();
  const remember = (update: RowUpdate): void => {
    const isPut = update.op === 'put';
    const { urlId, version } = isPut ? update.row : update;
    if (version > (newest.get(urlId)?.version ?? -1)) {
      newest.set(urlId, { version, demo: isPut && update.row.demo });
    }
  };

  const apply = async (updates: readonly RowUpdate[]): Promise<void> => {
    const target: BulkTarget = { client, index, logger: silent, signal: new AbortController().signal };
    updates.forEach(remember);
    await writeRows(target, documentWrites(updates));
    position++;
    await writeIndexState(target, {
      catalogue: 'test',
      position: String(position),
      reached: String(position),
      demo: [...newest.values()].some(({ demo }) => demo),
      edges: edgeVersion,
    });
    await refreshIndex(client, index);
    await pointAlias(client, name, index);
    await snapshots.open();
  };

  return {
    engine: createElasticsearchEngine({
      client,
      snapshots,
      queue: createSearchQueue({ maxRunning: 20, maxWaitMs: 60_000 }),
    }),
    load: async (rows, edges: EdgeSet) => {
      const before = index;
      index = `${name}-${++edgeVersion}`;
      edgesByVersion.set(edgeVersion, edges.edges);
      newest.clear();
      await createIndex(client, index);
      await apply(rows.map((row) => ({ op: 'put', row })));
      if (before !== '') await deleteIndexes(client, [before]);
    },
    apply,
    close: async () => {
      await snapshots.close();
      await deleteIndexes(client, [index]);
      await client.close();
    },
  };
};
