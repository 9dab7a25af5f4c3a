import type { Pool } from 'pg';
import type { Actor } from '@tapedeck/eventing';
import type { ReplayMode, ReplayTarget } from '../domain/replay.ts';

/** `at` is ISO 8601 UTC: the time of the dry run, also when it is applied. */
export type ReplayRequest = Readonly<{
  replayId: string;
  mode: ReplayMode;
  target: ReplayTarget;
  at: string;
  actor: Actor;
}>;

/** What a replay is about, as the ids by which Stripe and the tape know it. */
export type ReplaySubjects = Readonly<{
  subscriptions: readonly string[];
  customers: readonly string[];
  intents: readonly string[];
  sessions: readonly string[];
  /** Those that own the subscriptions, or have owned them. */
  accounts: readonly string[];
}>;

type Row = { readonly [Name in keyof ReplaySubjects]: readonly (string | null)[] };

const ofSubscriptions = `
  select coalesce(array_agg(distinct s.id), '{}') as subscriptions,
         coalesce((select array_agg(distinct customer_id) from subscription_customers
                    where subscription_id in (select id from s)), '{}') as customers,
         coalesce((select array_agg(distinct intent_id::text) from bought), '{}') as intents,
         coalesce((select array_agg(distinct session_id) from bought), '{}') as sessions,
         coalesce((select array_agg(distinct account_id::text) from entitlements
                    where subscription_id in (select id from s)), '{}') as accounts
    from s`;

/** Also purchases whose webhooks were all lost: the checkout is known before anything is paid. */
const memberSql = `
  with bought as (
    select intent_id, session_id, subscription_id from checkouts where account_id = $1::uuid
  ), s (id) as (
    select subscription_id from entitlements where account_id = $1::uuid
    union select subscription_id from bought where subscription_id is not null
  ) ${ofSubscriptions}`;

const subscriptionSql = `
  with bought as (
    select intent_id, session_id from checkouts where subscription_id = $1
  ), s (id) as (select $1::text) ${ofSubscriptions}`;

const eventSql = `
  with event as (
    select subscription_id, customer_id from stripe_inbox where event_id = $1
  ), s (id) as (
    select subscription_id from event where subscription_id is not null
    union select c.subscription_id from subscription_customers c join event using (customer_id)
  ), bought as (
    select intent_id, session_id from checkouts where subscription_id in (select id from s)
  ) ${ofSubscriptions}`;

const present = (values: readonly (string | null)[]): readonly string[] =>
  values.filter((value) => value !== null);

const read = async (pool: Pool, sql: string, id: string): Promise<ReplaySubjects> => {
  const { rows } = await pool.query<Row>(sql, [id]);
  const [row] = rows;
  return {
    subscriptions: present(row?.subscriptions ?? []),
    customers: present(row?.customers ?? []),
    intents: present(row?.intents ?? []),
    sessions: present(row?.sessions ?? []),
    accounts: present(row?.accounts ?? []),
  };
};

const ofMember = async (pool: Pool, account: string): Promise<ReplaySubjects> => {
  const subjects = await read(pool, memberSql, account);
  return { ...subjects, accounts: [...new Set([account, ...subjects.accounts])] };
};

/** Null for a window of time, which is about everything. */
export const replaySubjects = async (pool: Pool, target: ReplayTarget): Promise<ReplaySubjects | null> => {
  switch (target.kind) {
    case 'member':
      return ofMember(pool, target.accountId);
    case 'subscription':
      return read(pool, subscriptionSql, target.subscriptionId);
    case 'event':
      return read(pool, eventSql, target.eventId);
    case 'window':
      return null;
    default:
      return target satisfies never;
  }
};
