import {
  dispatch,
  WaitingFor,
  type Dispatch,
  type Effect,
  type EventStore,
  type Position,
  type RecordedEvent,
} from '@tapedeck/eventing';
import { waitForPosition } from '@tapedeck/eventing/projections';
import type { AccountForgotten } from '@tapedeck/identity/events';
import { derivedId, type AccountId } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import type pg from 'pg';
import { subscriptions } from '../command-targets.ts';
import { customerSubject, intentSubject, subscriptionStream, subscriptionSubject } from '../events.ts';
import type { StripeWrites } from '../stripe-port.ts';

export type ForgottenAccountsPorts = Readonly<{
  stripe: Pick<StripeWrites, 'forgetCustomer'>;
  store: Pick<EventStore, 'forget'>;
  databases: Databases;
}>;

type Purchase = Readonly<{ subscription_id: string; customer_id: string; intent_id: string | null }>;

const purchasesSql = `
  select distinct c.subscription_id, c.customer_id, k.intent_id
    from entitlements e
    join subscription_customers c using (subscription_id)
    left join checkouts k on k.subscription_id = c.subscription_id
   where e.account_id = $1 and e.phase <> 'abandoned'
     and not exists (select from entitlements later
                      where later.subscription_id = e.subscription_id and later.changed_at > e.changed_at
                        and later.account_id <> e.account_id)`;

const purchasesOf = async (pool: pg.Pool, account: AccountId): Promise<readonly Purchase[]> =>
  (await pool.query<Purchase>(purchasesSql, [account])).rows;

const endNow = ({ subscription_id: id }: Purchase, account: AccountId): Dispatch =>
  dispatch(subscriptions, subscriptionStream(id), {
    type: 'RequestWrite',
    requestId: derivedId('account closed', account, id),
    write: { kind: 'end-now', cause: 'account-closed' },
    comment: null,
    by: null,
  });

const projectMs = 5_000;

/** What the account has bought just before must not be missed. */
const assertProjected = async (pool: pg.Pool, position: Position): Promise<void> => {
  for (const readModel of ['subscriptions', 'checkouts'])
    if (!(await waitForPosition(pool, readModel, position, projectMs)))
      throw new WaitingFor(`the read model ${readModel} is behind the deletion`);
};

/**
 * A deleted account pays no longer: its subscriptions end at once, and what identifies the buyer is removed here and at
 * Stripe. Amounts and dates stay.
 */
export const forgottenAccountsEffect = ({ stripe, store, databases }: ForgottenAccountsPorts): Effect => ({
  name: 'forgotten-accounts',
  types: ['AccountForgotten'],
  run: async (event, { key }) => {
    const { accountId } = (event as unknown as RecordedEvent<AccountForgotten>).data;
    await assertProjected(databases.tapedeck, event.position);
    const purchases = await purchasesOf(databases.tapedeck, accountId);
    for (const {
      subscription_id: subscriptionId,
      customer_id: customerId,
      intent_id: intentId,
    } of purchases) {
      await stripe.forgetCustomer({ key: `${key}-${customerId}`, customerId });
      await store.forget(subscriptionSubject(subscriptionId));
      await store.forget(customerSubject(customerId));
      if (intentId !== null) await store.forget(intentSubject(intentId));
    }
    return purchases.map((purchase) => endNow(purchase, accountId));
  },
});
