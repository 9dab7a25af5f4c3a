import type { Position } from '@tapedeck/eventing';
import type pg from 'pg';
import type { ColumnarEngine } from '../adapters/columnar/engine.ts';
import type { EdgeSet } from '../edges.ts';
import {
  catalogueTable,
  explorerStrategies,
  explorerTable,
  type StoredRow,
} from '../projections/explorer-strategies.ts';
import { explorerRowOf } from './stored-rows.ts';

const pageSize = 2_000;

const selectRows = `
  select url_id, version, title, author, description, categories, spellings, symbol, pine_version,
         publication_date::text, backtesting_start::text, backtesting_end::text,
         total_pandl_percent, max_drawdown_percent, profit_factor, sharpe_ratio, total_trades,
         likes, views, comments, code_lines, enhanced, demo
    from ${explorerTable}_v${explorerStrategies.version}
   order by url_id`;

const selectPosition = `select position::text from ${catalogueTable}_v${explorerStrategies.version}`;

/** How far the rows of the version that this program folds are; null when there are none yet. */
const checkpointOf = async (client: pg.ClientBase): Promise<Position | null> => {
  const { rows } = await client.query<{ position: string }>(
    'select position::text from projection_checkpoints where projection = $1 and version = $2',
    [explorerStrategies.name, explorerStrategies.version],
  );
  return rows[0] ? BigInt(rows[0].position) : null;
};

const copyRows = async (
  client: pg.ClientBase,
  engine: ColumnarEngine,
  edges: EdgeSet | null,
): Promise<void> => {
  const loading = engine.loading();
  const [newest] = (await client.query<{ position: string }>(selectPosition)).rows;
  await client.query(`declare catalogue no scroll cursor for ${selectRows}`);
  for (;;) {
    const { rows } = await client.query<StoredRow>(`fetch ${pageSize} from catalogue`);
    for (const row of rows) loading.add(explorerRowOf(row));
    if (rows.length < pageSize) break;
  }
  loading.finish({ position: BigInt(newest?.position ?? 0), ...(edges ? { edges } : {}) });
};

/**
 * Fills the engine with the rows of the read model and answers from where on the tape it has to be followed:
 * rows and checkpoint are of one moment (D40). Without a read model the engine starts empty, from the tape's beginning.
 */
export const loadCatalogue = async (
  pool: pg.Pool,
  engine: ColumnarEngine,
  edges: EdgeSet | null,
): Promise<Position> => {
  const client = await pool.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const checkpoint = await checkpointOf(client);
    if (checkpoint === null) engine.load([], edges ? { edges } : {});
    else await copyRows(client, engine, edges);
    await client.query('commit');
    client.release();
    return checkpoint ?? 0n;
  } catch (error) {
    // A transaction may be left open on it: the connection is not used again.
    client.release(true);
    throw error;
  }
};
