import { getPostgreSQLEventStore } from '@event-driven-io/emmett-postgresql';
import { createPostgresEventStore } from '@tapedeck/eventing/postgres';
import { eventingMigrations } from '@tapedeck/eventing/migrations';
import { eventId, newId } from '@tapedeck/kernel';
import { Client } from 'pg';
import { steadyPool } from './databases.ts';

/** Appends that a store has acknowledged. */
export type Tally = { acknowledged: number };

/** The least that both stores can do: one event to a stream that is at `version` (0: that is not there). */
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
const metadata = {
  actorId: '018f4e3a-5b7c-7d21-9a3e-0123456789ab',
  actorKind: 'member',
  occurredAt: '2026-11-21T12:00:00.000Z',
  correlationId: '018f4e3a-5b7c-7d21-9a3e-abcdef012345',
  causationId: '018f4e3a-5b7c-7d21-9a3e-fedcba987654',
} as const;

/** Data and metadata as JSON; both stores add an id, a type, their stream's name and version. */
export const eventBytes = JSON.stringify(data).length + JSON.stringify(metadata).length;

export const makeOurTables = async (url: string): Promise<void> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  for (const { database, sql } of eventingMigrations) if (database === 'tapedeck') await client.query(sql);
  await client.end();
};

/** As the product opens it. */
export const ourStore = (url: string, tally: Tally): AppendStore => {
  const connections = 8;
  const pool = steadyPool(url, connections);
  const store = createPostgresEventStore({ pool, types: { StrategyNoted: { version: 1 } } });
  return {
    connections,
    append: async (stream, version) => {
      const event = { id: eventId(newId()), type: 'StrategyNoted', schemaVersion: 1, data, metadata };
      const { outcome } = await store.append(stream, version === 0 ? 'NO_STREAM' : version, [event]);
      if (outcome !== 'appended') throw new Error(`Our store answered ${outcome} to a new event.`);
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

type Stored = Readonly<{ events: number; brokenStreams: number }>;

/** What is there, seen past both stores: rows, and streams whose versions are not 1, 2, 3 … */
const readBack = async (url: string, events: string, stream: string, version: string): Promise<Stored> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ events: string | bigint; broken: string | bigint }>(`
    select coalesce(sum(n), 0) as events, count(*) filter (where lowest <> 1 or highest <> n) as broken
    from (select count(*) as n, min(${version}) as lowest, max(${version}) as highest
          from ${events} group by ${stream}) streams`);
  await client.end();
  return { events: Number(rows[0]?.events), brokenStreams: Number(rows[0]?.broken) };
};

export const readBackOurs = (url: string): Promise<Stored> =>
  readBack(url, 'tape_events', 'stream', 'version');
export const readBackEmmett = (url: string): Promise<Stored> =>
  readBack(url, 'emt_messages', 'stream_id', 'stream_position');
