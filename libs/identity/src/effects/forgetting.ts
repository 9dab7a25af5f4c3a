import type { EventStore } from '@tapedeck/eventing';
import type { AccountId } from '@tapedeck/kernel';
import type pg from 'pg';

export type Forgetting = Readonly<{ store: EventStore; pool: pg.Pool }>;

/**
 * What follows AccountForgotten on the tape: the key is deleted, and with it everything personal; then the sessions, which
 * do not count any more without the key. May be repeated: the request that deletes the account does it, and
 * the effect on the event, in case that request did not get so far.
 */
export const completeForgetting = async ({ store, pool }: Forgetting, account: AccountId): Promise<void> => {
  await store.forget(account);
  await pool.query('delete from sessions where account_id = $1', [account]);
};
