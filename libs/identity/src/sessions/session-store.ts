import { createHash } from 'node:crypto';
import { callbackify } from 'node:util';
import type { SessionStore } from '@fastify/session';
import { accountId, DomainError, messageOf, type AccountId, type Clock } from '@tapedeck/kernel';
import type { Session } from 'fastify';
import type pg from 'pg';

/** The account of a session; `idToken` is sealed. */
export type SessionUser = Readonly<{
  accountId: AccountId;
  roles: readonly string[];
  idToken: string | null;
}>;

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface Session {
    passport?: { user?: SessionUser };
  }
}

type Lifetime = Readonly<{ idleSeconds: number; totalSeconds: number }>;

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

const memberLifetime: Lifetime = { idleSeconds: 7 * day, totalSeconds: 30 * day };
const privilegedLifetime: Lifetime = { idleSeconds: 30 * minute, totalSeconds: 12 * hour };

/** Accounts with more rights are signed out sooner (D26). */
const lifetimeOf = (roles: readonly string[]): Lifetime =>
  roles.some((role) => role === 'admin' || role === 'support') ? privilegedLifetime : memberLifetime;

/** The browser keeps the cookie for the longest lifetime; the row decides when the session ends. */
export const maxSessionSeconds = memberLifetime.totalSeconds;

type Row = Readonly<{ account_id: string; roles: readonly string[]; id_token: string | null; seen_at: Date }>;

/** A write per request would cost too much, and idle times are minutes at least. */
const touchIntervalMs = 60_000;

/**
 * None once the account was forgotten. Named, so that each connection parses and plans it once: it runs before nearly
 * every answer.
 */
const read = {
  name: 'read session',
  text: `
  select account_id, roles, id_token, seen_at
    from sessions
   where id_hash = $1 and idle_until > $2 and ends_at > $2
     and not exists (select from personal_data_keys
                      where subject = account_id::text and forgotten_at is not null)`,
};

const touch = `
  update sessions
     set seen_at = $2, idle_until = least($2::timestamptz + idle_seconds * interval '1 second', ends_at)
   where id_hash = $1 and seen_at <= $3`;

const write = `
  insert into sessions
         (id_hash, account_id, roles, id_token, created_at, seen_at, idle_seconds, idle_until, ends_at)
  values ($1, $2, $3, $4, $5, $5, $6::integer,
          $5::timestamptz + $6::integer * interval '1 second',
          $5::timestamptz + $7::integer * interval '1 second')
  on conflict (id_hash) do update
     set account_id = excluded.account_id, roles = excluded.roles, id_token = excluded.id_token`;

const hashOf = (sessionId: string): Buffer => createHash('sha256').update(sessionId).digest();

type Sessions = Readonly<{
  find: (sessionId: string) => Promise<SessionUser | undefined>;
  save: (sessionId: string, user: SessionUser) => Promise<void>;
  remove: (sessionId: string) => Promise<void>;
}>;

const sessionsIn = (pool: pg.Pool, clock: Clock): Sessions => ({
  find: async (sessionId) => {
    const hash = hashOf(sessionId);
    const now = clock.now();
    const { rows } = await pool.query<Row>(read, [hash, new Date(now)]);
    const row = rows[0];
    if (!row) return undefined;
    const touchBefore = now - touchIntervalMs;
    if (row.seen_at.getTime() <= touchBefore) {
      await pool.query(touch, [hash, new Date(now), new Date(touchBefore)]);
    }
    return { accountId: accountId(row.account_id), roles: row.roles, idToken: row.id_token };
  },
  save: async (sessionId, user) => {
    const { idleSeconds, totalSeconds } = lifetimeOf(user.roles);
    const now = new Date(clock.now());
    const { accountId, roles, idToken } = user;
    await pool.query(write, [hashOf(sessionId), accountId, roles, idToken, now, idleSeconds, totalSeconds]);
  },
  remove: async (sessionId) => {
    await pool.query('delete from sessions where id_hash = $1', [hashOf(sessionId)]);
  },
});

const orUnavailable = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    throw new DomainError(
      'unavailable',
      'SESSIONS_UNAVAILABLE',
      'Sessions cannot be read at the moment: try again shortly. This does not sign you out.',
      { cause: messageOf(error) },
    );
  }
};

/** Sessions of signed-in people, one row each; visitors have none. */
export const createSessionStore = (pool: pg.Pool, clock: Clock): SessionStore => {
  const { find, save, remove } = sessionsIn(pool, clock);
  return {
    get: callbackify(async (sessionId: string) => {
      const user = await orUnavailable(find(sessionId));
      // The cookie's attributes come from the configuration, not from the row.
      return user ? ({ passport: { user } } as Session) : null;
    }),
    set: callbackify(async (sessionId: string, { passport }: Session) => {
      if (passport?.user) await orUnavailable(save(sessionId, passport.user));
    }),
    destroy: callbackify((sessionId: string) => orUnavailable(remove(sessionId))),
  };
};

/** Deletes the sessions that have ended; returns their number. */
export const pruneSessions = async (pool: pg.Pool, clock: Clock): Promise<number> => {
  const { rowCount } = await pool.query('delete from sessions where idle_until <= $1 or ends_at <= $1', [
    new Date(clock.now()),
  ]);
  return rowCount ?? 0;
};
