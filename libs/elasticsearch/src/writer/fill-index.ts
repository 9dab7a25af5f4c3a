import type { EventStore } from '@tapedeck/eventing';
import type pg from 'pg';
import { documentWrites } from '../index/documents.ts';
import { refreshIndex } from '../index/index-admin.ts';
import type { IndexState } from '../index/index-state.ts';
import { catalogueIdentity } from '../index/index-status.ts';
import { writeIndexState, writeRows, type BulkTarget } from './bulk.ts';
import { readModelRows, readModelStart } from './read-model.ts';

/** What the writer knows of an index that it has filled or found. */
export type IndexContents = Readonly<{
  state: IndexState;
  /** Ids of the demo catalogue's rows, so that the writer knows when the last one is removed. */
  demoIds: Set<string>;
  /** Keys of parked events, whose later events are skipped. */
  blocked: Set<string>;
}>;

/** Fills an empty index with the rows of the read model; the tape is to be read on from `state.reached`. */
export const fillIndex = async (
  target: BulkTarget,
  pool: pg.Pool,
  store: EventStore,
): Promise<IndexContents> => {
  const catalogue = await catalogueIdentity(pool);
  const start = await readModelStart(pool, store, target.signal);
  const demoIds = new Set<string>();
  const pages = start ? readModelRows(pool) : [];
  for await (const rows of pages) {
    rows.filter((row) => row.demo).forEach((row) => demoIds.add(row.urlId));
    await writeRows(target, documentWrites(rows.map((row) => ({ op: 'put', row }))));
  }
  const state: IndexState = {
    catalogue,
    position: String(start?.newest ?? 0n),
    reached: String(start?.position ?? 0n),
    parking: String(start?.parkingChanges ?? 0n),
    demo: demoIds.size > 0,
    edges: 0,
  };
  await writeIndexState(target, state);
  await refreshIndex(target.client, target.index);
  return { state, demoIds, blocked: new Set(start?.blockedKeys) };
};
