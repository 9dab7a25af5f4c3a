import type { AccountId } from '@tapedeck/kernel';
import type pg from 'pg';
import { finalStatuses } from '../domain/subscription.ts';
import type { CustomerRow } from './subscriptions.ts';

// A customer at Stripe, with its cards and invoices, is the account's that has proved to pay by it.

/** Those that a customer pays, and that have not ended; none for a customer of another product. */
export const subscriptionsOfCustomer =
  (pool: pg.Pool) =>
  async (customerId: string): Promise<readonly string[]> => {
    const { rows } = await pool.query<Pick<CustomerRow, 'subscription_id'>>(
      `select subscription_id from subscription_customers
        where customer_id = $1 and stripe_status <> all($2) order by subscription_id`,
      [customerId, finalStatuses],
    );
    return rows.map(({ subscription_id }) => subscription_id);
  };

/** All subscriptions of a customer, those that have ended too. */
export const allOfCustomer = async (pool: pg.Pool, customerId: string): Promise<readonly string[]> => {
  const { rows } = await pool.query<Pick<CustomerRow, 'subscription_id'>>(
    'select subscription_id from subscription_customers where customer_id = $1 order by subscription_id',
    [customerId],
  );
  return rows.map(({ subscription_id }) => subscription_id);
};

/** The customers by which the account pays what has not ended, be it the owner or not. */
export const ownCustomersOf = async (pool: pg.Pool, account: AccountId): Promise<readonly string[]> => {
  const { rows } = await pool.query<Pick<CustomerRow, 'customer_id'>>(
    `select distinct c.customer_id from purchase_payers p join subscription_customers c using (subscription_id)
      where p.account_id = $1 and c.stripe_status <> all($2)`,
    [account, finalStatuses],
  );
  return rows.map(({ customer_id }) => customer_id);
};

/**
 * The account's customer at Stripe, so that its cards and invoices stay together; null before the first purchase that it has
 * paid itself. Of several that of what it pays now, then the newest.
 */
export const customerOf = async (pool: pg.Pool, account: AccountId): Promise<string | null> => {
  const { rows } = await pool.query<Pick<CustomerRow, 'customer_id'>>(
    `select c.customer_id from purchase_payers p join subscription_customers c using (subscription_id)
      where p.account_id = $1 and c.stripe_status <> 'incomplete_expired'
      order by c.stripe_status = any($2), p.proved_at desc limit 1`,
    [account, finalStatuses],
  );
  return rows[0]?.customer_id ?? null;
};
