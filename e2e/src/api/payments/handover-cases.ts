import { describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { Billing, paymentRoutes } from '@tapedeck/payments/contract';
import { buyAs, mailsTo, memberAt, tierOf, type Person } from './buyers.ts';
import type { PaymentsProduct } from './payments-product.ts';
import { accountIdOf, codeOf, newEmail, signInStaff, subscriberAt, take } from './support-people.ts';

const billingOf = async (member: Person): Promise<Billing> =>
  Billing.parse((await member.get(paymentRoutes.billing)).body);
const billingEmailOf = async (member: Person): Promise<unknown> =>
  (await member.get('/api/member/tier')).body['stripeCustomerEmail'];

export const describeHandovers = (running: () => PaymentsProduct): void => {
  describe('a purchase that support has handed over', () => {
    it('gives the plan, and neither the card nor the pages of the account that pays', async () => {
      const product = running();
      const { support } = await signInStaff(product);
      const one = await subscriberAt(product);
      const member = await memberAt(product, newEmail());
      const toAccountId = await accountIdOf(member);
      expect(await take(support, one, { kind: 'transfer', toAccountId })).toBe('done');
      await product.settled();
      expect((await billingOf(member)).subscription).toMatchObject({ isPaidByAnother: true, card: null });
      expect((await billingOf(member)).hasPortal).toBe(false);
      const plan = { tier: 'Elite', period: 'annual' };
      for (const path of [paymentRoutes.billingPortal, paymentRoutes.previewChange, paymentRoutes.change])
        expect(codeOf(await member.send('POST', path, plan))).toBe('409 PAID_BY_ANOTHER');
      expect([await billingEmailOf(member), await billingEmailOf(one.member)]).toEqual([null, one.email]);
      await eventually(async () =>
        expect((await mailsTo(product, one.email))[0]?.subject).toBe(
          'Your purchase was moved to another account',
        ),
      );

      const [paid] = (await billingOf(one.member)).payments;
      const invoice = paymentRoutes.invoice(paid?.invoiceId ?? '');
      expect([(await one.member.get(invoice)).status, (await member.get(invoice)).status]).toEqual([
        200, 404,
      ]);
      expect((await one.member.send('POST', paymentRoutes.billingPortal)).status).toBe(201);
      expect((await billingOf(one.member)).hasPortal).toBe(true);

      const session = await product.stripe.checkout.sessions.retrieve(await buyAs(member, 'elite'));
      await product.settled();
      expect(session.customer).not.toBe(one.customerId);
      expect(await tierOf(member)).toBe('Elite active');
      await eventually(async () => {
        const before = await product.stripe.subscriptions.retrieve(one.subscriptionId);
        expect([before.status, before.cancel_at_period_end]).toEqual(['active', true]);
      });
    });
  });
};
