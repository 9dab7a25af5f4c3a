import { defineEffect, isForgotten, WaitingFor, type Effect } from '@tapedeck/eventing';
import { waitForPosition } from '@tapedeck/eventing/projections';
import type { EmailChanged } from '@tapedeck/identity/events';
import type { Databases } from '@tapedeck/platform/databases';
import type { StripeRequests } from '@tapedeck/stripe/port';
import { ownCustomersOf } from '../projections/customers.ts';

export type CustomerEmailsPorts = Readonly<{
  stripe: Pick<StripeRequests, 'setCustomerEmail'>;
  databases: Databases;
}>;

const readModelMs = 5_000;

/** Stripe writes to the address that the account has now: receipts, and what it wants to know of a payment. */
export const customerEmailsEffect = ({ stripe, databases: { tapedeck } }: CustomerEmailsPorts): Effect =>
  defineEffect<EmailChanged>({
    name: 'customer-emails',
    afterReplay: 'skip',
    begins: 'next',
    types: { EmailChanged: true },
    concerns: ({ data }) => data.emailVerified,
    run: async ({ data: { accountId, email, emailVerified }, position }, { key }) => {
      if (!emailVerified || isForgotten(email)) return [];
      if (!(await waitForPosition(tapedeck, 'subscriptions', position, readModelMs)))
        throw new WaitingFor('the read model of subscriptions');
      for (const customerId of await ownCustomersOf(tapedeck, accountId))
        await stripe.setCustomerEmail({ key: `${key}-${customerId}`, customerId, email });
      return [];
    },
  });
