import { describe, expect, it } from '@jest/globals';
import { systemClock } from '@tapedeck/kernel';
import { Stripe } from 'stripe';
import { stripeReads } from './reads.ts';

const missing = (): Promise<never> =>
  Promise.reject(
    new Stripe.errors.StripeInvalidRequestError({
      type: 'invalid_request_error',
      code: 'resource_missing',
      message: 'No such object',
    }),
  );

const retrieve = (objects: Readonly<Record<string, object>>) => ({
  retrieve: (id: string) => (objects[id] ? Promise.resolve(objects[id]) : missing()),
});

const paid = { payment_intent: 'pi_1' };

/** A Stripe with one invoice of `sub_1`, which was paid by a card or by a bank, and objects of another product. */
const stripe = {
  invoices: retrieve({
    in_1: { parent: { subscription_details: { subscription: 'sub_1' } } },
    in_other: { parent: null },
  }),
  invoicePayments: {
    list: ({ payment }: Readonly<{ payment: Readonly<{ payment_intent: string }> }>) =>
      Promise.resolve({ data: payment.payment_intent === 'pi_1' ? [{ invoice: 'in_1' }] : [] }),
  },
  charges: retrieve({ ch_1: paid, py_1: paid, ch_other: { payment_intent: null } }),
  refunds: retrieve({ re_1: paid, pyr_1: paid }),
  disputes: retrieve({ dp_1: paid, du_1: paid }),
  checkout: { sessions: retrieve({ cs_1: { subscription: 'sub_1' } }) },
} as unknown as Stripe; // All that is read here.

const { subscriptionOf } = stripeReads({ stripe, prices: [], clock: systemClock });

describe('the subscription that an object of Stripe belongs to', () => {
  it.each(['sub_1', 'in_1', 'pi_1', 'ch_1', 'py_1', 're_1', 'pyr_1', 'dp_1', 'du_1', 'cs_1'])(
    'is found for %s',
    async (id) => {
      expect(await subscriptionOf(id)).toBe('sub_1');
    },
  );

  it.each(['in_other', 'pi_other', 'ch_other', 'in_gone', 'ch_gone', 'pyr_gone', 'cs_gone'])(
    'is none for %s, of another product or gone',
    async (id) => {
      expect(await subscriptionOf(id)).toBeNull();
    },
  );

  it('is undefined for an object of a kind that is not known', async () => {
    expect(await subscriptionOf('unknown_1')).toBeUndefined();
  });
});
