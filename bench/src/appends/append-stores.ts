import { getPostgreSQLEventStore } from '@event-driven-io/emmett-postgresql';
import { createPostgresEventStore } from '@tapedeck/eventing/postgres';
import { eventingMigrations } from '@tapedeck/eventing/migrations';
import { eventId, newId } from '@tapedeck/kernel';
import { Client } from 'pg';
import { steadyPool } from '../databases.ts';

/** Counts the appends that a store has acknowledged. */
export type Tally = { acknowledged: number };

/** What both stores can do: append one event to a stream that is at `version` (0: the stream does not exist). */
export type AppendStore = Readonly<{
  connections: number;
  append: (stream: string, version: number) => Promise<void>;
  close: () => Promise<void>;
}>;

const data = {
  urlId: 'S3LKflwr',
  title: 'Supertrend with a trailing stop and a filter by volume',
  likes: 1_234,
  symbol: 'BINANCE:BTCUSDT',
};
/** Metadata as a request gives it to its events. */
export const metadata = {
  actorId: '018f4e3a-5b7c-7d21-9a3e-0123456789ab',
  actorKind: 'member',
  occurredAt: '2026-11-21T12:00:00.000Z',
  correlationId: '018f4e3a-5b7c-7d21-9a3e-abcdef012345',
  causationId: '018f4e3a-5b7c-7d21-9a3e-fedcba987654',
} as const;

/** Size of data and metadata as JSON; both stores add id, type, stream name and version. */
export const eventBytes = JSON.stringify(data).length + JSON.stringify(metadata).length;

export const createTapedeckTables = async (url: string): Promise<void> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  for (const { sql } of eventingMigrations) await client.query(sql);
  await client.end();
};

/** The store as the product opens it. */
export const tapedeckStore = (url: string, tally: Tally): AppendStore => {
  const connections = 8;
  const pool = steadyPool(url, connections);
  const store = createPostgresEventStore({ pool, types: { StrategyNoted: { version: 1 } } });
  return {
    connections,
    append: async (stream, version) => {
      const event = { id: eventId(newId()), type: 'StrategyNoted', schemaVersion: 1, data, metadata };
      const { outcome } = await store.append(stream, version === 0 ? 'NO_STREAM' : version, [event]);
      if (outcome !== 'appended') throw new Error(`Tapedeck's store returned ${outcome} for a new event.`);
      tally.acknowledged++;
    },
    close: async () => {
      await store.close();
      await pool.end();
    },
  };
};

export const emmettStore = (url: string, tally: Tally, connections: number): AppendStore => {
  const pool = steadyPool(url, connections);
  const store = getPostgreSQLEventStore(url, { connectionOptions: { pool } });
  return {
    connections,
    append: async (stream, version) => {
      const expectedStreamVersion = version === 0 ? 'STREAM_DOES_NOT_EXIST' : BigInt(version);
      await store.appendToStream(stream, [{ type: 'StrategyNoted', data, metadata }], {
        expectedStreamVersion,
      });
      tally.acknowledged++;
    },
    close: async () => {
      await store.close();
      await pool.end();
    },
  };
};

type StoredEvents = Readonly<{ events: number; brokenStreams: number }>;

/** Counts the stored events, and the streams whose versions are not 1, 2, 3 …, by SQL and not through the store. */
const countStored = async (
  url: string,
  events: string,
  stream: string,
  version: string,
): Promise<StoredEvents> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ events: string | bigint; broken: string | bigint }>(`
    select coalesce(sum(n), 0) as events, count(*) filter (where first <> 1 or last <> n) as broken
    from (select count(*) as n, min(${version}) as first, max(${version}) as last
          from ${events} group by ${stream}) streams`);
  await client.end();
  return { events: Number(rows[0]?.events), brokenStreams: Number(rows[0]?.broken) };
};

export const countStoredByTapedeck = (url: string): Promise<StoredEvents> =>
  countStored(url, 'tape_events', 'stream', 'version');
export const countStoredByEmmett = (url: string): Promise<StoredEvents> =>
  countStored(url, 'emt_messages', 'stream_id', 'stream_position');
