import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { newId } from '@tapedeck/kernel';
import { buyAs, memberAt } from './buyers.ts';
import { startPaymentsProduct, type PaymentsProduct } from './payments-product.ts';

let product: PaymentsProduct;
beforeAll(async () => {
  product = await startPaymentsProduct();
}, 120_000);
afterAll(() => product.close());

const daySeconds = 86_400;
const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

describe('a renewal that the card refuses', () => {
  it('is a failed payment with its amount and reason, and says when it is tried again', async () => {
    const email = `failed-${newId()}@example.com`;
    const sessionId = await buyAs(await memberAt(product, email));
    await product.settled();
    const { customer } = await product.stripe.checkout.sessions.retrieve(sessionId);
    await product.control('/card', { customer, card: 'expired' });
    await product.control('/clock', { seconds: 32 * daySeconds });
    await product.settled();

    // The session of before has expired.
    const member = await memberAt(product, email);
    await eventually(async () => {
      const { body } = await member.get('/api/member/tier');
      expect(body).toMatchObject({
        tier: 'Pro',
        status: 'grace',
        hasFailedPayment: true,
        failureReason: 'the card has expired',
        graceUntil: isoTime,
        nextAttemptAt: isoTime,
      });
    });
    const tier = (await member.get('/api/member/tier')).body;
    const billing = (await member.get('/api/membership/billing')).body;
    expect(billing).toMatchObject({
      subscription: { nextAttemptAt: tier['nextAttemptAt'] },
      payments: [{ amount: 499 }],
      failedPayments: [
        {
          attempt: expect.any(Number),
          amount: 999,
          currency: 'usd',
          text: 'Pro monthly, renewal',
          reason: expect.stringMatching(/^The card has expired: we try again on \w+ \d+, \d+\.$/),
        },
      ],
    });
  }, 60_000);
});
