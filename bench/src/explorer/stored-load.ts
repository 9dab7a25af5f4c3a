import { setTimeout as wait } from 'node:timers/promises';
import type { Projection } from '@tapedeck/eventing';
import { eventingMigrations, projectionTables } from '@tapedeck/eventing/migrations';
import { createPostgresEventStore } from '@tapedeck/eventing/postgres';
import { startProjector, storedTable } from '@tapedeck/eventing/projections';
import { createColumnarEngine } from '@tapedeck/columnar/engine';
import { explorerStrategies } from '@tapedeck/search-engine/projections';
import { strategyEvents } from '@tapedeck/strategies/events';
import type { Pool } from 'pg';
import { freshDatabase, runCheckpoint, steadyPool } from '../databases.ts';
import { count, ms, say, type Claim } from '../print.ts';
import { waitUntilLive, type Databases } from '../wait-until-live.ts';
import { watchLoop } from '../event-loop.ts';

const aimMs = 5;

/** Creates the tables of the read model by running the projector on an empty tape. */
const makeTables = async (databases: Databases, strategies: Projection): Promise<void> => {
  const migrations = [...eventingMigrations, ...projectionTables('bench/projections', 'catalogue')];
  for (const { database, sql } of migrations) {
    await (database === 'catalogue' ? databases.catalogue : databases.tapedeck).query(sql);
  }
  const store = createPostgresEventStore({ pool: databases.tapedeck, types: strategyEvents });
  const projector = startProjector({ store, projections: [strategies], databases });
  await waitUntilLive(store, databases, strategies);
  await projector.stop();
  await store.close();
};

/** Rows of a typical length: 300 bytes of text, lists of labels, figures with ties and unknown values. */
const rowsSql = (table: string): string => `
  with texts as materialized (
    select k, (select string_agg('word' || (k * 7 + i * i) % 20000, ' ') from generate_series(1, 30) i) as text
      from generate_series(0, 9999) k)
  insert into ${table} (url_id, version, title, author, description, categories, spellings, symbol, pine_version,
    publication_date, backtesting_start, backtesting_end, total_pandl_percent, max_drawdown_percent, profit_factor,
    sharpe_ratio, total_trades, likes, views, comments, code_lines, enhanced, demo)
  select 's' || lpad(to_hex(n::bigint * 2654435761 % 4294967296), 8, '0') || n, 1,
         'Strategy ' || n % 70000 || ' of ' || n % 30000, 'author ' || n % 5000, texts.text,
         (array['RSI', 'MACD', 'EMA', 'ATR', 'VWAP'])[1 + n % 3 : 3 + n % 3],
         (array['rsi', 'macd', 'ema', 'atr', 'vwap'])[1 + n % 3 : 3 + n % 3],
         'SYM' || n % 300, 4 + n % 2, date '2020-01-01' + n % 2000, date '2015-01-01', date '2024-01-01' + n % 300,
         round((exp(random() * 9) - 100)::numeric, 2), round((random() * 100)::numeric, 2),
         case when n % 50 = 0 then 'Infinity' else round((random() * 5)::numeric, 3)::float8 end,
         case when n % 10 = 0 then null else round((random() * 8 - 3)::numeric, 3) end,
         n % 900, floor(exp(random() * 9)), n % 999, n % 53, n % 4000, n % 2 = 0, false
    from generate_series(1, $1::int) n join texts on texts.k = n % 10000`;

const fill = async (pool: Pool, projection: Projection, rows: number): Promise<void> => {
  const table = storedTable(projection, 'explorer_strategies');
  await pool.query(rowsSql(table), [rows]);
  await pool.query(`insert into ${storedTable(projection, 'explorer_catalogue')} values (1, 1)`);
  await pool.query(`analyze ${table}`);
};

/** Loads the catalogue as the product does at its start, and measures for how long this blocks the event loop. */
export const benchStoredLoad = async (rows: number): Promise<Claim> => {
  const url = await freshDatabase('bench_stored');
  const [tape, catalogue] = [steadyPool(await freshDatabase('bench_tape'), 4), steadyPool(url, 4)];
  await makeTables({ tapedeck: tape, catalogue }, explorerStrategies);
  await fill(catalogue, explorerStrategies, rows);
  await Promise.all([tape.end(), catalogue.end()]);
  await runCheckpoint();
  // Garbage from before is not part of the measurement.
  globalThis.gc?.();
  const engine = createColumnarEngine();
  const { millis, maxBlockMs } = await watchLoop(() => engine.loadStored({ connectionString: url }, null));
  const size = engine.size();
  await engine.close();
  if (size !== rows) throw new Error(`The engine has ${size} of ${rows} stored rows.`);
  // For comparison: the idle event loop, for as long.
  const idle = await watchLoop(() => wait(millis));
  say(
    `${count(rows)} stored rows are loaded in ${(millis / 1_000).toFixed(1)} s; the longest block of the event loop is ` +
      `${ms(maxBlockMs)} ms (${ms(idle.maxBlockMs)} ms when idle for as long).`,
  );
  say();
  return {
    claim: `longest block by loading ${count(rows)} stored rows`,
    aim: `≤ ${aimMs} ms`,
    measured: `${ms(maxBlockMs)} ms`,
    reached: maxBlockMs <= aimMs,
  };
};
