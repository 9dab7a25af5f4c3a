import { DomainError, type AccountId } from '@tapedeck/kernel';
import type pg from 'pg';

export const noSubscription = (): DomainError =>
  new DomainError('not-found', 'SUBSCRIPTION_NOT_FOUND', 'You have no subscription: choose a plan first.');

/** Those that entitle their owner to something, or may. */
const livePhases = ['pending', 'active', 'past-due', 'suspended'];

const liveSql = `
  select subscription_id, phase, is_disputed from entitlements
   where account_id = $1 and (phase = any($2) or is_disputed)
   order by changed_at desc`;

type LiveRow = Readonly<{ subscription_id: string; phase: string; is_disputed: boolean }>;

const liveRows = async (pool: pg.Pool, account: AccountId): Promise<readonly LiveRow[]> =>
  (await pool.query<LiveRow>(liveSql, [account, livePhases])).rows;

/** All subscriptions that the account has or had. */
export const subscriptionsOf = async (pool: pg.Pool, account: AccountId): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ subscription_id: string }>(
    'select subscription_id from entitlements where account_id = $1',
    [account],
  );
  return rows.map(({ subscription_id }) => subscription_id);
};

/** The newest subscription of the account that has not ended. */
export const liveSubscriptionOf = async (pool: pg.Pool, account: AccountId): Promise<string | undefined> =>
  (await liveRows(pool, account)).find(({ phase }) => livePhases.includes(phase))?.subscription_id;

/**
 * Keeps an account from paying twice for the same.
 * @throws DomainError ALREADY_SUBSCRIBED, PAYMENT_DISPUTED
 */
export const assertMayBuy = async (pool: pg.Pool, account: AccountId): Promise<void> => {
  const rows = await liveRows(pool, account);
  if (rows.some(({ is_disputed }) => is_disputed)) {
    throw new DomainError(
      'conflict',
      'PAYMENT_DISPUTED',
      'One of your payments is disputed: nothing new can be bought until that is closed.',
    );
  }
  // One whose first payment is missing must not stand in the way of another attempt.
  if (rows.every(({ phase }) => phase === 'pending')) return;
  throw new DomainError(
    'conflict',
    'ALREADY_SUBSCRIBED',
    'You have a subscription already: change its plan in My Account.',
  );
};

/** The account's customer at Stripe, so that its cards and invoices stay together; null before the first purchase. */
export const customerOf = async (pool: pg.Pool, account: AccountId): Promise<string | null> => {
  const { rows } = await pool.query<{ customer_id: string }>(
    `select c.customer_id from entitlements e join subscription_customers c using (subscription_id)
      where e.account_id = $1 and e.phase <> 'abandoned' order by e.changed_at desc limit 1`,
    [account],
  );
  return rows[0]?.customer_id ?? null;
};
