import type pg from 'pg';
import { writeRows, writeStanding, type Writing } from './bulk.ts';
import { writesOf } from '../index/documents.ts';
import { refreshIndex } from '../index/index-admin.ts';
import { catalogueIdentity } from '../index/index-status.ts';
import type { CatalogueStanding } from '../snapshots.ts';
import { readModelRows, readModelStart } from './read-model.ts';

/** An index and what its writer knows of it. */
export type WrittenIndex = Readonly<{
  standing: CatalogueStanding;
  /** Ids of the demo catalogue's rows: whether any are left is known without options. */
  demo: Set<string>;
}>;

/** Fills an empty index with the rows of the read model; the tape is then followed from `reached`. */
export const fillIndex = async (writing: Writing, pool: pg.Pool): Promise<WrittenIndex> => {
  const catalogue = await catalogueIdentity(pool);
  const start = await readModelStart(pool);
  const demo = new Set<string>();
  const pages = start ? readModelRows(pool) : [];
  for await (const rows of pages) {
    rows.filter((row) => row.demo).forEach((row) => demo.add(row.urlId));
    await writeRows(writing, writesOf(rows.map((row) => ({ op: 'put', row }))));
  }
  const standing: CatalogueStanding = {
    catalogue,
    position: String(start?.newest ?? 0n),
    reached: String(start?.checkpoint ?? 0n),
    demo: demo.size > 0,
    edges: 0,
  };
  await writeStanding(writing, standing);
  await refreshIndex(writing.client, writing.index);
  return { standing, demo };
};
