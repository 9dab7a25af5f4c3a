import type { Position } from '@tapedeck/eventing';
import { checkpointOf, storedTable } from '@tapedeck/eventing/projections';
import type pg from 'pg';
import {
  catalogueTable,
  explorerRowOf,
  explorerStrategies,
  explorerTable,
  storedRowColumns,
  type StoredRow,
} from '../../../projections/explorer-strategies.ts';
import type { ExplorerRow } from '../../../search-port.ts';

const pageSize = 1_000;
const table = storedTable(explorerStrategies, explorerTable);

export type ReadModelStart = Readonly<{
  /** The rows contain at least all changes up to here. */
  checkpoint: Position;
  /** Tape position of the newest change. */
  newest: Position;
}>;

/** Null while there is no read model: the tape must then be read from its beginning. */
export const readModelStart = async (pool: pg.Pool): Promise<ReadModelStart | null> => {
  const checkpoint = await checkpointOf(pool, explorerStrategies);
  if (checkpoint === null) return null;
  const newest = await pool.query<{ position: string }>(
    `select position::text from ${storedTable(explorerStrategies, catalogueTable)}`,
  );
  return { checkpoint, newest: BigInt(newest.rows[0]?.position ?? 0) };
};

/**
 * Page by page without a transaction, which an unavailable search server would keep open for long. Rows may be newer
 * than the checkpoint that was read before them; their versions make it harmless to apply the same events again.
 */
export const readModelRows = async function* (pool: pg.Pool): AsyncGenerator<readonly ExplorerRow[]> {
  for (let last = ''; ;) {
    const { rows } = await pool.query<StoredRow>(
      `select ${storedRowColumns} from ${table} where url_id > $1 order by url_id limit ${pageSize}`,
      [last],
    );
    const final = rows.at(-1);
    if (!final) return;
    yield rows.map(explorerRowOf);
    last = final.url_id;
  }
};
