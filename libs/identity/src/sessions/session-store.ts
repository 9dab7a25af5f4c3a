import { createHash } from 'node:crypto';
import { callbackify } from 'node:util';
import type { SessionStore } from '@fastify/session';
import { accountId, DomainError, messageOf, type AccountId, type Clock } from '@tapedeck/kernel';
import type { RequestAccount } from '@tapedeck/platform/http';
import type { Session } from 'fastify';
import type pg from 'pg';
import { idTokenSealer } from './sealer.ts';

/** What a sign-in stores. */
export type SignedInUser = Readonly<{
  accountId: AccountId;
  idToken: string | null;
  /** Such as `Firefox on Linux`. */
  browser: string | null;
  /** As `placeOf` gives it. */
  place: string | null;
  networkKey: Buffer | null;
}>;

/** A session as a request finds it. */
export type SessionUser = Readonly<{
  accountId: AccountId;
  roles: readonly string[];
  /** Names the session to its owner, and opens nothing. */
  publicId: string;
  signedInAt: number;
  sealedIdToken: string | null;
}>;

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface Session {
    passport?: { user?: SignedInUser | SessionUser };
  }
}

/** The user of a session that this request has found, not begun. */
export const sessionUser = (session: Session | undefined): SessionUser | undefined => {
  const user = session?.passport?.user;
  return user && 'publicId' in user ? user : undefined;
};

type Lifetime = Readonly<{ idleSeconds: number; totalSeconds: number }>;
const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const memberLifetime: Lifetime = { idleSeconds: 7 * day, totalSeconds: 30 * day };
/** Accounts with more rights are signed out sooner (docs/product-decisions.md#lifetime-of-a-session). */
const privilegedLifetime: Lifetime = { idleSeconds: 30 * minute, totalSeconds: 12 * hour };

/** The browser keeps the cookie for the longest lifetime; the row decides when the session ends. */
export const maxSessionSeconds = memberLifetime.totalSeconds;

type Row = Readonly<{
  account_id: string;
  roles: readonly string[];
  public_id: string;
  id_token: string | null;
  created_at: Date;
  seen_at: Date;
}>;

/** A write per request would cost too much, and idle times are minutes at least. */
const touchIntervalMs = 60_000;

/**
 * None once the roles have changed or the account was forgotten. Named, so that each connection parses and plans it once:
 * it runs before nearly every answer.
 */
const read = {
  name: 'read session',
  text: `
  select s.account_id, coalesce(r.roles, '{}') as roles, s.public_id, s.id_token, s.created_at, s.seen_at
    from sessions s
    left join account_roles r using (account_id)
   where s.id_hash = $1 and s.idle_until > $2 and s.ends_at > $2
     and s.roles_version = coalesce(r.version, 0)
     and not exists (select from personal_data_keys
                      where subject = s.account_id::text and forgotten_at is not null)`,
};

const touch = `
  update sessions
     set seen_at = $2, idle_until = least($2::timestamptz + idle_seconds * interval '1 second', ends_at)
   where id_hash = $1 and seen_at <= $3`;

const write = `
  insert into sessions
         (id_hash, account_id, roles_version, browser, id_token, created_at, seen_at, idle_seconds, idle_until, ends_at,
          place, network_key)
  select $1, $2, version, $3, $4, $5, $5, idle, $5::timestamptz + idle * interval '1 second',
         $5::timestamptz + total * interval '1 second', $10, $11
    from (select coalesce(max(version), 0) as version,
                 case when coalesce(bool_or(roles <> '{}'), false) then $8::integer else $6::integer end as idle,
                 case when coalesce(bool_or(roles <> '{}'), false) then $9::integer else $7::integer end as total
            from account_roles where account_id = $2) r
  on conflict (id_hash) do nothing`;

const hashOf = (sessionId: string): Buffer => createHash('sha256').update(sessionId).digest();

type Sessions = Readonly<{
  find: (sessionId: string) => Promise<SessionUser | undefined>;
  save: (sessionId: string, user: SignedInUser) => Promise<void>;
  remove: (sessionId: string) => Promise<void>;
}>;

export type SessionStoreOptions = Readonly<{ pool: pg.Pool; clock: Clock; secret: string }>;

const sessionsIn = ({ pool, clock, secret }: SessionStoreOptions): Sessions => ({
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
    const { roles, public_id: publicId, id_token: sealedIdToken } = row;
    const signedInAt = row.created_at.getTime();
    return { accountId: accountId(row.account_id), roles, publicId, signedInAt, sealedIdToken };
  },
  save: async (sessionId, { accountId: account, idToken, browser, place, networkKey }) => {
    const sealed = idToken === null ? null : idTokenSealer(secret, sessionId).seal(idToken);
    const lifetimes = [memberLifetime, privilegedLifetime].flatMap(({ idleSeconds, totalSeconds }) => [
      idleSeconds,
      totalSeconds,
    ]);
    const now = new Date(clock.now());
    const values = [hashOf(sessionId), account, browser, sealed, now, ...lifetimes, place, networkKey];
    await pool.query(write, values);
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
export const createSessionStore = (options: SessionStoreOptions): SessionStore => {
  const { find, save, remove } = sessionsIn(options);
  return {
    get: callbackify(async (sessionId: string) => {
      const user = await orUnavailable(find(sessionId));
      // The cookie's attributes come from the configuration, not from the row.
      return user ? ({ passport: { user } } as Session) : null;
    }),
    // A session does not change after it has begun.
    set: callbackify(async (sessionId: string, { passport }: Session) => {
      const user = passport?.user;
      if (user && !('publicId' in user)) await orUnavailable(save(sessionId, user));
    }),
    destroy: callbackify((sessionId: string) => orUnavailable(remove(sessionId))),
  };
};

const findLive = `
  select s.public_id from sessions s left join account_roles r using (account_id)
   where s.account_id = any($1::uuid[]) and s.public_id = any($2::uuid[]) and s.idle_until > $3 and s.ends_at > $3
     and s.roles_version = coalesce(r.version, 0)
     and not exists (select from personal_data_keys
                      where subject = s.account_id::text and forgotten_at is not null)`;

/** The public ids of those sessions of the accounts that a request would find. */
export const findLiveSessions = async (
  pool: pg.Pool,
  clock: Clock,
  accounts: readonly RequestAccount[],
): Promise<ReadonlySet<string>> => {
  const ids = accounts.map(({ id }) => id);
  const publicIds = accounts.flatMap(({ session }) => session?.publicId ?? []);
  const values = [ids, publicIds, new Date(clock.now())];
  const { rows } = await pool.query<Pick<Row, 'public_id'>>(findLive, values);
  return new Set(rows.map(({ public_id }) => public_id));
};

/** Deletes the sessions that have ended; returns their number. */
export const pruneSessions = async (pool: pg.Pool, clock: Clock): Promise<number> => {
  const { rowCount } = await pool.query('delete from sessions where idle_until <= $1 or ends_at <= $1', [
    new Date(clock.now()),
  ]);
  return rowCount ?? 0;
};
