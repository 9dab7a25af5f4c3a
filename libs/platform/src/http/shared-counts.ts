import { createHmac } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type {
  FastifyRateLimitOptions,
  FastifyRateLimitStore,
  FastifyRateLimitStoreCtor,
} from '@fastify/rate-limit';
import type pg from 'pg';

/** One window of one client, from a multiple of its length on, so that it is the same one in every process. */
type Count = { startMs: number; endMs: number; own: number; others: number; unsent: number };

type Sent = Readonly<{ count: Count; client: Buffer; requests: number }>;

const maxClients = 10_000;
const maxSentAtOnce = 1_000;
const sendIntervalMs = 250;
const retryIntervalMs = 1_000;
const pruneIntervalMs = 60_000;

/** In the order of the key, so that two processes cannot block each other. */
const add = `
  insert into rate_limit_counts (client, starts_at, ends_at, requests)
  select client, to_timestamp(start_ms / 1000.0), to_timestamp(end_ms / 1000.0), requests
    from unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::integer[]) as t (client, start_ms, end_ms, requests)
   order by client
  on conflict (client) do update
     set requests = excluded.requests
           + case when rate_limit_counts.starts_at = excluded.starts_at then rate_limit_counts.requests else 0 end,
         starts_at = excluded.starts_at, ends_at = excluded.ends_at
   where rate_limit_counts.starts_at <= excluded.starts_at
  returning client, requests`;

export type SharedCountsOptions = Readonly<{
  pool: pg.Pool;
  /** Clients are stored under a keyed hash, so that the table shows no session and no address. */
  secret: string;
  onError: (error: unknown) => void;
  now?: () => number;
}>;

/** A constructor for each server: `Store` is what the plugin wants. */
export type SharedCounts = Readonly<{ Store: FastifyRateLimitStoreCtor; close: () => Promise<void> }>;

/** The counts of one class of routes. */
type Counts = Readonly<{ rateClass: string; byClient: Map<string, Count>; unsent: Set<string> }>;

/** Many at once: to find the first key of a map takes as long as many were deleted before it. */
const forgetOldest = (byClient: Map<string, Count>, unsent: Set<string>): void => {
  let left = maxClients / 10;
  for (const client of byClient.keys()) {
    if (left-- <= 0) return;
    byClient.delete(client);
    unsent.delete(client);
  }
};

const counted = ({ byClient, unsent }: Counts, client: string, now: number, windowMs: number): Count => {
  const startMs = now - (now % windowMs);
  const found = byClient.get(client);
  const count =
    found?.startMs === startMs ? found : { startMs, endMs: startMs + windowMs, own: 0, others: 0, unsent: 0 };
  count.own++;
  count.unsent++;
  // The client seen last is the last one: the first one is forgotten where there are too many.
  byClient.delete(client);
  byClient.set(client, count);
  unsent.add(client);
  if (byClient.size > maxClients) forgetOldest(byClient, unsent);
  return count;
};

const takeUnsent = (
  { rateClass, byClient, unsent }: Counts,
  secret: string,
  max: number,
): readonly Sent[] => {
  const taken: Sent[] = [];
  for (const name of unsent) {
    if (taken.length >= max) break;
    unsent.delete(name);
    const count = byClient.get(name);
    if (!count) continue;
    const client = createHmac('sha256', secret).update(`${rateClass} ${name}`).digest();
    taken.push({ count, client, requests: count.unsent });
    count.unsent = 0;
  }
  return taken;
};

const send = async (pool: pg.Pool, sent: readonly Sent[]): Promise<void> => {
  const { rows } = await pool.query<{ client: Buffer; requests: number }>(add, [
    sent.map(({ client }) => client),
    sent.map(({ count }) => count.startMs),
    sent.map(({ count }) => count.endMs),
    sent.map(({ requests }) => requests),
  ]);
  const totals = new Map(rows.map(({ client, requests }) => [client.toString('hex'), requests]));
  for (const { count, client } of sent) {
    const total = totals.get(client.toString('hex'));
    if (total !== undefined) count.others = Math.max(0, total - (count.own - count.unsent));
  }
};

/**
 * Counts requests in the memory of this process and exchanges the counts with the other processes by the database, four
 * times a second. No request waits for that; while the database is lost, each process counts for itself.
 */
export const createSharedCounts = (options: SharedCountsOptions): SharedCounts => {
  const { pool, secret, onError, now = Date.now } = options;
  const classes: Counts[] = [];
  const closing = new AbortController();
  let sending: Promise<void> | undefined;

  const sendAll = async (): Promise<void> => {
    for (;;) {
      const sent = classes.flatMap((counts) => takeUnsent(counts, secret, maxSentAtOnce));
      if (sent.length === 0) return;
      try {
        await send(pool, sent);
      } catch (error) {
        // Requests that are not known to be counted there count here only.
        onError(error);
        const { signal } = closing;
        await setTimeout(retryIntervalMs, undefined, { ref: false, signal }).catch(() => undefined);
        if (signal.aborted) return;
      }
    }
  };
  const sendSoon = (): void => {
    if (closing.signal.aborted) return;
    sending ??= setTimeout(sendIntervalMs, undefined, { ref: false })
      .then(sendAll)
      .finally(() => {
        sending = undefined;
      });
  };
  const prune = setInterval(() => {
    pool.query('delete from rate_limit_counts where ends_at < now()').catch(onError);
  }, pruneIntervalMs).unref();

  class Store implements FastifyRateLimitStore {
    readonly #counts: Counts;

    constructor(settings: FastifyRateLimitOptions) {
      const { rateClass = '' } = settings as Readonly<{ rateClass?: string }>;
      this.#counts = { rateClass, byClient: new Map(), unsent: new Set() };
      classes.push(this.#counts);
    }

    incr(...[client, callback, windowMs]: Parameters<FastifyRateLimitStore['incr']>): void {
      const at = now();
      const { own, others, endMs } = counted(this.#counts, client, at, windowMs);
      sendSoon();
      callback(null, { current: own + others, ttl: endMs - at });
    }

    child(settings: FastifyRateLimitOptions): Store {
      return new Store(settings);
    }
  }

  return {
    Store,
    close: async () => {
      closing.abort();
      clearInterval(prune);
      await sending;
    },
  };
};
