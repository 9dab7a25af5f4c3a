import { describe, expect, it } from '@jest/globals';
import { newId } from '@tapedeck/kernel';
import { openStripe } from '@tapedeck/stripe/sdk';
import type { PaymentsProduct } from './payments-product.ts';
import { chargesAt, refundsAt, subscriberAt } from './support-people.ts';

/** What is repeated after Stripe has forgotten the key of the request. Moves the clock. */
export const describeForgottenKeys = (running: () => PaymentsProduct): void => {
  describe('a request that is repeated when Stripe has forgotten its key', () => {
    it('refunds a part no second time', async () => {
      const product = running();
      const one = await subscriberAt(product);
      const [charge] = await chargesAt(product, one);
      const intent = await product.stripe.invoicePayments.list({
        payment: { type: 'payment_intent', payment_intent: String(charge?.payment_intent) },
      });
      const stripe = openStripe(product.config, product.clock, []);
      const invoiceId = String(intent.data[0]?.invoice);
      const wanted = { subscriptionId: one.subscriptionId, invoiceId, amount: 100 };
      const key = newId();
      expect(await stripe.refund({ key, ...wanted })).toEqual({});
      await product.control('/clock', { seconds: 2 * 86_400 });
      expect(await stripe.refund({ key, ...wanted })).toEqual({});
      expect(await refundsAt(product, one)).toEqual({ amount: 100, count: 1 });
      expect(await stripe.refund({ key: newId(), ...wanted })).toEqual({});
      expect(await refundsAt(product, one)).toEqual({ amount: 200, count: 2 });
    });
  });
};
