import type { ClientBase, Pool, PoolClient, QueryArrayConfig } from 'pg';
import { hasChangedRole, isConnectionLoss, sqlStateOf } from '../../postgres-errors.ts';
import { isUnavailable, tapeUnavailable } from './tape-errors.ts';
import type { TimeLimits } from './time-limits.ts';

export type TextRow = readonly string[];

/** Identifies the tape and its server: another one after a promotion, a restore, and for another database. */
export type TapeServer = string;

export type TapeQuery = Omit<QueryArrayConfig, 'rowMode' | 'types'>;

/** A connection while one caller uses it. */
export type TapeConnection = Readonly<{
  server: TapeServer;
  /** The time on the server's clock, in milliseconds since 1970: not later than it really is. */
  serverTime: () => number;
  query: (query: TapeQuery, withinMs: number) => Promise<readonly TextRow[]>;
}>;

export type TapeConnections = Readonly<{
  /** Calls `work` with a connection. One that is broken, or on which an attempt was abandoned, is closed afterwards. */
  use: <Result>(work: (connection: TapeConnection) => Promise<Result>) => Promise<Result>;
  /** Runs a query that reads; fails on a connection to another server than this. */
  read: (query: TapeQuery, server?: TapeServer) => Promise<readonly TextRow[]>;
}>;

// The driver's parsers would take longer than everything else in a page, so columns are read as text and parsed here.
const asText = { getTypeParser: () => (value: string) => value };

/** The rows of a query, as text. @throws Error "Query read timeout" after `withinMs`; the connection is then broken. */
export const textRows = async (
  client: ClientBase,
  query: TapeQuery,
  withinMs: number,
): Promise<readonly TextRow[]> => {
  // The driver knows this option; its types do not.
  const config = { ...query, rowMode: 'array' as const, types: asText, query_timeout: withinMs };
  const { rows } = await client.query<string[]>(config);
  return rows;
};

const serverQuery: TapeQuery = { text: 'select identity, clock_ms from tape_server()' };

/** The identity of the server of a connection. @throws Error 25006 on a standby. */
export const readServer = async (
  client: ClientBase,
  withinMs: number,
): Promise<Readonly<{ server: TapeServer; serverTime: () => number }>> => {
  const [row] = await textRows(client, serverQuery, withinMs);
  const receivedAt = performance.now();
  const [server = '', clock = '0'] = row ?? [];
  return { server, serverTime: () => Number(clock) + performance.now() - receivedAt };
};

// TAPE2: the clock of the server has leapt, so it has to be read again.
const isBroken = (error: unknown): boolean =>
  isConnectionLoss(error) || hasChangedRole(error) || isUnavailable(error) || sqlStateOf(error) === 'TAPE2';

const ignoreLostConnection = (): void => {};

/** While a connection is in use its pool does not listen, and an error without a listener would end the process. */
const listenForLoss = (client: PoolClient): void => {
  if (!client.listeners('error').includes(ignoreLostConnection)) client.on('error', ignoreLostConnection);
};

/** Connections to the primary of the tape from a pool. */
export const createTapeConnections = (pool: Pool, { connectMs, readMs }: TimeLimits): TapeConnections => {
  const known = new WeakMap<PoolClient, TapeConnection>();
  // At once: a server can end a connection with the bytes that open it.
  if (!pool.listeners('connect').includes(listenForLoss)) pool.on('connect', listenForLoss);

  const identify = async (client: PoolClient): Promise<TapeConnection> => {
    // The pool may have opened it before it was given to the store.
    listenForLoss(client);
    const connection = {
      ...(await readServer(client, connectMs)),
      query: (query: TapeQuery, withinMs: number) => textRows(client, query, withinMs),
    };
    known.set(client, connection);
    return connection;
  };
  const use: TapeConnections['use'] = async (work) => {
    const client = await pool.connect();
    let failure: unknown;
    try {
      return await work(known.get(client) ?? (await identify(client)));
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      client.release(isBroken(failure) || !known.has(client));
    }
  };
  return {
    use,
    read: (query, server) =>
      use((connection) => {
        if (server === undefined || connection.server === server) return connection.query(query, readMs);
        throw tapeUnavailable('read', 'its server has changed');
      }),
  };
};
