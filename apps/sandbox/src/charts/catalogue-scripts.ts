import { messageOf } from '@tapedeck/kernel';
import pg from 'pg';
import type { FindScript, Script } from './script.ts';

export type CatalogueScripts = Readonly<{ find: FindScript; close: () => Promise<void> }>;

const sql = `
  select url_id as "urlId", title, author, symbol, timeframe, total_pandl_percent as "netPercent",
         max_drawdown_percent as "drawdownPercent", total_trades_numeric::float8 as trades,
         profitable_trades as "profitableTrades", profit_factor_numeric as "profitFactor",
         backtesting_range_start::text as "from", backtesting_range_end::text as "to"
    from strategies
   where url_id = $1`;

type Row = Omit<Script, 'won'> & Readonly<{ profitableTrades: string | null }>;

/** Of `38.46% (10/26)`, also on two lines. */
const wonOf = (text: string | null): number | null => {
  // Linear: a match begins only where no digit stands before.
  const won = /(?<![\d,])(\d[\d,]{0,20})\s{0,9}\//.exec(text ?? '')?.[1];
  return won === undefined ? null : Number(won.replaceAll(',', ''));
};

const idleMs = 2_000;
const queryMs = 2_000;
const undefinedTable = '42P01';

/**
 * The scripts of the catalogue, so that what the site shows of a strategy is what the catalogue says. One connection at most,
 * which only reads and is given back soon: others share its role.
 */
export const openCatalogueScripts = (url: string, onError: (line: string) => void): CatalogueScripts => {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    idleTimeoutMillis: idleMs,
    connectionTimeoutMillis: queryMs,
    query_timeout: queryMs,
    statement_timeout: queryMs,
    application_name: 'tapedeck sandbox',
    options: '-c search_path=public,read_models -c default_transaction_read_only=on',
  });
  // Without listeners a connection that ends would end the process.
  pool.on('error', (error) => onError(`the catalogue: ${messageOf(error)}`));
  pool.on('connect', (client) => void client.on('error', () => {}));
  return {
    find: async (urlId) => {
      try {
        const { rows } = await pool.query<Row>(sql, [urlId]);
        const [row] = rows;
        if (!row) return undefined;
        const { profitableTrades, ...script } = row;
        return { ...script, won: wonOf(profitableTrades) };
      } catch (error) {
        // The projector has not created the table yet.
        if ((error as { code?: string }).code === undefinedTable) return undefined;
        throw error;
      }
    },
    close: () => pool.end(),
  };
};
