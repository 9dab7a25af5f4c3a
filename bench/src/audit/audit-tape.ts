import type { EventStore } from '@tapedeck/eventing';
import { accountStream } from '@tapedeck/identity/events';
import { accountId, eventId, newId } from '@tapedeck/kernel';
import type { Pool } from 'pg';
import type { BenchMember, StoredEvent } from './member-events.ts';

const insertSql = `
  insert into tape_events (position, stream, version, id, type, schema_version, data, metadata, bytes)
  select nextval('tape_position'), stream, version, id, type, 1, data, metadata,
    pg_column_size(data) + pg_column_size(metadata)
  from unnest($1::text[], $2::int[], $3::uuid[], $4::text[], $5::json[], $6::json[])
    with ordinality e (stream, version, id, type, data, metadata, n) order by n`;

const insert = async (pool: Pool, events: readonly StoredEvent[]): Promise<void> => {
  await pool.query(insertSql, [
    events.map(({ stream }) => stream),
    events.map(({ version }) => version),
    events.map(({ id }) => id),
    events.map(({ type }) => type),
    events.map(({ data }) => JSON.stringify(data)),
    events.map(({ metadata }) => JSON.stringify(metadata)),
  ]);
};

/** $1 events of $2 other accounts; $3: the version before, which is the same for each of them. */
const othersSql = `
  insert into tape_events (position, stream, version, id, type, schema_version, data, metadata, bytes)
  select nextval('tape_position'), 'favourites-' || account, $3::int + 1 + n / $2::int, gen_random_uuid(),
    'FavouriteRemoved', 1, data, metadata, pg_column_size(data) + pg_column_size(metadata)
  from (select n, account, json_build_object('accountId', account, 'urlId', 'st' || n, 'revision', 1) as data,
      json_build_object('actorId', account, 'actorKind', 'member', 'occurredAt', '2026-11-21T12:00:00.000Z',
        'correlationId', account, 'causationId', account) as metadata
    from (select n, lpad(to_hex(n % $2::int), 32, '0')::uuid as account from generate_series(0, $1::int - 1) n) o) e
  order by n`;

const rounds = 100;
const otherAccounts = 1_000;

/** Puts the events of the members between those of others, as they would have come over the years. */
export const fillTape = async (
  pool: Pool,
  members: readonly BenchMember[],
  others: number,
): Promise<void> => {
  const perRound = Math.max(otherAccounts, Math.ceil(others / rounds / otherAccounts) * otherAccounts);
  for (let round = 0; round < rounds; round++) {
    if (round * perRound < others) {
      await pool.query(othersSql, [perRound, otherAccounts, (round * perRound) / otherAccounts]);
    }
    for (const { events } of members) {
      const size = Math.ceil(events.length / rounds);
      await insert(pool, events.slice(round * size, (round + 1) * size));
    }
  }
  await pool.query(
    'insert into tape_streams (stream, version) select stream, max(version) from tape_events group by stream on conflict do nothing',
  );
  await pool.query('vacuum analyze tape_events');
};

const appendsAtOnce = 256;

/** Accounts with encrypted names and addresses, as sign-ins write them. */
export const registerAccounts = async (store: EventStore, accounts: number): Promise<void> => {
  const numbers = Array.from({ length: accounts }, (_, at) => at).values();
  const register = async (): Promise<void> => {
    for (const at of numbers) {
      const account = accountId(newId());
      const person = { subject: `person ${at}`, email: `person.${at}@example.com`, emailVerified: true };
      const names = { firstName: `First${at}`, lastName: `Last${at}`, profileImageUrl: null };
      const metadata = { actorId: account, actorKind: 'member', occurredAt: '2026-11-21T12:00:00.000Z' };
      await store.append(accountStream(account), 'NO_STREAM', [
        {
          id: eventId(newId()),
          type: 'AccountRegistered',
          schemaVersion: 1,
          data: { accountId: account, issuer: 'bench', ...person, ...names },
          metadata: { ...metadata, correlationId: 'bench', causationId: 'bench' },
        },
      ]);
    }
  };
  await Promise.all(Array.from({ length: appendsAtOnce }, register));
};
