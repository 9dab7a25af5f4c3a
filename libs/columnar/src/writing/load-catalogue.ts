import type { Position } from '@tapedeck/eventing';
import { readModelState, storedTable, type ReadModelState } from '@tapedeck/eventing/projections';
import pg from 'pg';
import type { EdgeSet } from '@tapedeck/search-engine/catalogue';
import {
  catalogueTable,
  explorerRowOf,
  explorerStrategies,
  explorerTable,
  storedRowColumns,
  type StoredRow,
} from '@tapedeck/search-engine/read-model';
import type { ExplorerRow } from '@tapedeck/search-engine/port';

/** The connection options of the read model's database; can be sent to another thread. */
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

/** The connection options of a pool. The pool hides the password when its options are enumerated. */
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

const selectRows = `select ${storedRowColumns} from ${table} order by url_id`;

const selectPosition = `
  select position::text, (select count(*)::int from ${table}) as rows
    from ${storedTable(explorerStrategies, catalogueTable)}`;

/** Builds a new catalogue from rows. */
export type CatalogueLoader = Readonly<{
  /** Starts a new catalogue; the current one stays until `finish`. */
  begin: (expectedRows: number) => void;
  add: (rows: readonly ExplorerRow[]) => void;
  /** Publishes the new catalogue; without edges they are computed from its rows, as version 0. */
  finish: (position: Position, edges: EdgeSet | null) => void;
}>;

const copyRows = async (client: pg.Client, loader: CatalogueLoader, edges: EdgeSet | null): Promise<void> => {
  const [newest] = (await client.query<{ position: string; rows: number }>(selectPosition)).rows;
  loader.begin(newest?.rows ?? 0);
  await client.query(`declare catalogue no scroll cursor for ${selectRows}`);
  for (;;) {
    const { rows } = await client.query<StoredRow>(`fetch ${pageSize} from catalogue`);
    loader.add(rows.map(explorerRowOf));
    if (rows.length < pageSize) break;
  }
  loader.finish(BigInt(newest?.position ?? 0), edges);
};

/**
 * Loads the rows of the read model and returns its state: the tape has to be followed from its position. Rows and state
 * are of one snapshot. Null without a read model: the catalogue is then empty.
 */
export const loadCatalogue = async (
  connection: StoredConnection,
  loader: CatalogueLoader,
  edges: EdgeSet | null,
): Promise<ReadModelState | null> => {
  const client = new pg.Client(connection);
  // When the connection breaks between two queries, the next one fails.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const state = await readModelState(client, explorerStrategies);
    if (state) await copyRows(client, loader, edges);
    else {
      loader.begin(0);
      loader.finish(0n, edges);
    }
    return state;
  } finally {
    await client.end();
  }
};
