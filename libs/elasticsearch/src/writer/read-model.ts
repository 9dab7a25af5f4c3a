import type { EventStore, Position } from '@tapedeck/eventing';
import { assertSameTape, readModelState, storedTable } from '@tapedeck/eventing/projections';
import type pg from 'pg';
import {
  catalogueTable,
  explorerRowOf,
  explorerStrategies,
  explorerTable,
  storedRowColumns,
  type CopiedState,
  type StoredRow,
} from '@tapedeck/search-engine/read-model';
import type { ExplorerRow } from '@tapedeck/search-engine/port';

const pageSize = 1_000;
const table = storedTable(explorerStrategies, explorerTable);

export type ReadModelStart = CopiedState &
  Readonly<{
    /** Tape position of the newest change. */
    newest: Position;
  }>;

/**
 * The rows contain at least all changes up to this state's position; null while there is no read model: the tape must
 * then be read from its beginning.
 *
 * @throws DomainError READ_MODEL_OF_ANOTHER_TAPE.
 */
export const readModelStart = async (
  pool: pg.Pool,
  store: EventStore,
  signal: AbortSignal,
): Promise<ReadModelStart | null> => {
  const state = await readModelState(pool, explorerStrategies);
  if (!state) return null;
  await assertSameTape(store, explorerStrategies, state, signal);
  const newest = await pool.query<{ position: string }>(
    `select position::text from ${storedTable(explorerStrategies, catalogueTable)}`,
  );
  return { ...state, newest: BigInt(newest.rows[0]?.position ?? 0) };
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
