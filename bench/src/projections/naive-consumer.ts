import type { EventStore, RecordedEvent } from '@tapedeck/eventing';
import type { Pool, PoolClient } from 'pg';

/** Reads pages of the tape as the projector does, up to about `events` events. */
export const readPages = async (
  store: EventStore,
  events: number,
  pageSize: number,
  consume: (page: readonly RecordedEvent[]) => Promise<void>,
): Promise<number> => {
  let [after, read] = [0n, 0];
  while (read < events) {
    const page = await store.readTape({ after, limit: Math.min(pageSize, events - read), form: 'sealed' });
    if (page.events.length === 0) break;
    await consume(page.events);
    read += page.events.length;
    after = page.position;
  }
  return read;
};

const applyEvent = async (client: PoolClient, { type, data, metadata }: RecordedEvent): Promise<void> => {
  const { accountId, urlId, revision, tags } = data;
  if (type === 'FavouriteRemoved') {
    const values = [accountId, urlId];
    const text = 'delete from naive where account_id = $1 and url_id = $2';
    await client.query({ name: 'naive_remove', text, values });
    return;
  }
  const values = [accountId, urlId, tags, revision, metadata.occurredAt];
  const text = `insert into naive values ($1, $2, $3, $4, $5) on conflict (account_id, url_id)
    do update set tags = excluded.tags, revision = excluded.revision`;
  await client.query({ name: 'naive_upsert', text, values });
};

/** Creates an empty table with the columns and the index of the real read model. */
const createNaiveTable = async (pool: Pool): Promise<void> => {
  await pool.query(`drop table if exists naive, naive_checkpoint;
    create table naive (account_id uuid, url_id text, tags text not null, revision integer not null,
      added_at timestamptz not null, primary key (account_id, url_id));
    create index on naive (account_id, added_at desc);
    create table naive_checkpoint (position bigint not null);
    insert into naive_checkpoint values (0)`);
};

/** Uses one statement per event, and one transaction per `perTransaction` events and checkpoint; commits do not wait for the disk. */
export const consumeNaively = async (
  pool: Pool,
  store: EventStore,
  events: number,
  perTransaction: number,
): Promise<number> => {
  await createNaiveTable(pool);
  const client = await pool.connect();
  try {
    await client.query('set synchronous_commit = off');
    return await readPages(store, events, 1_000, async (page) => {
      for (let from = 0; from < page.length; from += perTransaction) {
        const batch = page.slice(from, from + perTransaction);
        await client.query('begin');
        for (const event of batch) await applyEvent(client, event);
        await client.query('update naive_checkpoint set position = $1', [String(batch.at(-1)?.position)]);
        await client.query('commit');
      }
    });
  } finally {
    await client.query('reset synchronous_commit');
    client.release();
  }
};
