import type { Position } from '@tapedeck/eventing';
import { checkpointOf, storedTable } from '@tapedeck/eventing/projections';
import pg from 'pg';
import type { CatalogueWriter } from './catalogue-writer.ts';
import type { EdgeSet } from '../../../catalogue/edges.ts';
import {
  catalogueTable,
  explorerStrategies,
  explorerTable,
  type StoredRow,
} from '../../../projections/explorer-strategies.ts';
import { explorerRowOf } from '../../../projections/explorer-strategies.ts';

/** How to reach the database of the read model; can be sent to another thread. */
export type StoredConnection = Readonly<
  Pick<
    pg.ClientConfig,
    | 'connectionString'
    | 'host'
    | 'port'
    | 'user'
    | 'database'
    | 'application_name'
    | 'connectionTimeoutMillis'
  > & { password?: string }
>;

/** The connection of a pool, whose password does not show when its options are listed. */
export const connectionOf = ({ options }: pg.Pool): StoredConnection => {
  const { connectionString, host, port, user, database, application_name, connectionTimeoutMillis } = options;
  const { password } = options;
  const known = {
    connectionString,
    host,
    port,
    user,
    database,
    application_name,
    connectionTimeoutMillis,
    password: typeof password === 'string' ? password : undefined,
  };
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
};

const pageSize = 2_000;
const table = storedTable(explorerStrategies, explorerTable);

const selectRows = `
  select url_id, version, title, author, description, categories, spellings, symbol, pine_version,
         publication_date::text, backtesting_start::text, backtesting_end::text,
         total_pandl_percent, max_drawdown_percent, profit_factor, sharpe_ratio, total_trades,
         likes, views, comments, code_lines, enhanced, demo
    from ${table}
   order by url_id`;

const selectPosition = `
  select position::text, (select count(*)::int from ${table}) as rows
    from ${storedTable(explorerStrategies, catalogueTable)}`;

type Target = Pick<CatalogueWriter, 'begin' | 'add' | 'finish'>;

const copyRows = async (client: pg.Client, target: Target, edges: EdgeSet | null): Promise<void> => {
  const [newest] = (await client.query<{ position: string; rows: number }>(selectPosition)).rows;
  target.begin(newest?.rows ?? 0);
  await client.query(`declare catalogue no scroll cursor for ${selectRows}`);
  for (;;) {
    const { rows } = await client.query<StoredRow>(`fetch ${pageSize} from catalogue`);
    target.add(rows.map(explorerRowOf));
    if (rows.length < pageSize) break;
  }
  target.finish(BigInt(newest?.position ?? 0), edges);
};

/**
 * Fills a catalogue with the rows of the read model and answers from where on the tape it has to be followed:
 * rows and checkpoint are of one moment (D40). Without a read model it is empty, from the tape's beginning.
 */
export const loadCatalogue = async (
  connection: StoredConnection,
  target: Target,
  edges: EdgeSet | null,
): Promise<Position> => {
  const client = new pg.Client(connection);
  // A connection that breaks between two queries is told by the next one.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const checkpoint = await checkpointOf(client, explorerStrategies);
    if (checkpoint === null) {
      target.begin(0);
      target.finish(0n, edges);
    } else await copyRows(client, target, edges);
    return checkpoint ?? 0n;
  } finally {
    await client.end();
  }
};
