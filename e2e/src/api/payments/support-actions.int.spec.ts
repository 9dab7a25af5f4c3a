import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Timeline } from '@tapedeck/audit/contract';
import { eventually } from '@tapedeck/eventing/testing';
import { moneyRoutes, queueRoutes, Queues, type WantedAction } from '@tapedeck/payments/contract';
import type { Stripe } from 'stripe';
import { describeApprovals } from './approval-cases.ts';
import { buyByEmail, memberAt, personAt, tierOf, type Person } from './buyers.ts';
import { describeForgottenKeys } from './forgotten-key-cases.ts';
import { describeHandovers } from './handover-cases.ts';
import { startPaymentsProduct, type PaymentsProduct } from './payments-product.ts';
import {
  accountIdOf,
  chargesAt,
  codeOf,
  confirmAs,
  moneyOf,
  newEmail,
  previewAs,
  reason,
  refundsAt,
  shownTo,
  signInStaff,
  subscriberAt,
  take,
  timelineAt,
  type Subscriber,
} from './support-people.ts';

let product: PaymentsProduct;
let support: Person;
let admin: Person;

const daySeconds = 86_400;

beforeAll(async () => {
  product = await startPaymentsProduct({ APPROVAL_ABOVE_AMOUNT: '1000' });
  ({ support, admin } = await signInStaff(product));
}, 120_000);
afterAll(() => product.close());
beforeEach(() => product.control('/calls/clear'));

const chargesOf = (one: Subscriber): Promise<readonly Stripe.Charge[]> => chargesAt(product, one);
const refundedAt = async (one: Subscriber): Promise<number> => (await refundsAt(product, one)).amount;
const refundCount = async (one: Subscriber): Promise<number> => (await refundsAt(product, one)).count;
const statusOf = async ({ subscriptionId }: Subscriber): Promise<string> =>
  (await product.stripe.subscriptions.retrieve(subscriptionId)).status;

/** Of the only subscription. */
const subscriptionOf = async (one: Subscriber) => {
  await product.settled();
  const [subscription] = (await moneyOf(support, one.accountId)).subscriptions;
  if (!subscription) throw new Error('The member has no subscription.');
  return subscription;
};
const refundOf = async (one: Subscriber, amount?: number): Promise<WantedAction> => {
  const [payment] = (await subscriptionOf(one)).payments;
  return { kind: 'refund', invoiceId: payment?.invoiceId ?? '', amount: amount ?? payment?.amount ?? 0 };
};
const timelineOf = (one: Subscriber, types: string): Promise<Timeline['events']> =>
  timelineAt(product, support, one, types);
const refused = async (): Promise<Queues['refused']['items']> => {
  await product.settled();
  return Queues.parse((await support.get(queueRoutes.queues)).body).refused.items;
};
describe('a refund by support', () => {
  it('of a part is shown before, made at Stripe, and stands on the timeline with its reason', async () => {
    const one = await subscriberAt(product);
    const preview = await shownTo(support, one, await refundOf(one, 200));
    expect(preview).toMatchObject({ refunded: 200, charged: null, endsAt: null, needsApproval: false });
    expect(preview.refunds).toMatchObject([{ amount: 200, refundable: 499 }]);
    expect(preview.access).toMatchObject([
      { accountName: one.email, before: { tier: 'Pro', status: 'active' }, after: { tier: 'Pro' } },
    ]);
    expect(codeOf(await confirmAs(support, one, preview))).toBe('200 done');
    expect([await refundedAt(one), await statusOf(one)]).toEqual([200, 'active']);
    const { payments } = await subscriptionOf(one);
    expect(payments).toMatchObject([{ amount: 499, refunded: 200, refundable: 299 }]);
    const [event] = await timelineOf(one, 'MoneyActionTaken');
    expect(event).toMatchObject({ reason, actorName: 'support@example.com', lane: 'admin' });
    expect(event?.text).toMatch(/^Support: refund \$2\.00 of invoice in_/);
    expect(await tierOf(one.member)).toBe('Pro active');
  });

  it('of all says that access and subscription end, and ends them', async () => {
    const one = await subscriberAt(product);
    const preview = await shownTo(support, one, await refundOf(one));
    expect(preview.endsAt).not.toBeNull();
    expect(preview.access).toMatchObject([{ after: { tier: 'Free', status: 'ended', until: null } }]);
    expect(codeOf(await confirmAs(support, one, preview))).toBe('200 done');
    await eventually(async () => expect(await statusOf(one)).toBe('canceled'));
    await product.settled();
    expect(await tierOf(one.member)).toBe('Free ended');
  });

  it('is made once when it is confirmed twice, or its answer is lost', async () => {
    const one = await subscriberAt(product);
    await product.control('/calls/fail', { kind: 'lose_answer', path: '/v1/refunds', method: 'POST' });
    const preview = await shownTo(support, one, await refundOf(one, 100));
    const answers = await Promise.all([1, 2, 3].map(() => confirmAs(support, one, preview)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await eventually(async () => expect((await subscriptionOf(one)).requests).toEqual([]));
    expect(codeOf(await confirmAs(support, one, preview))).toBe('200 done');
    expect([await refundedAt(one), await refundCount(one)]).toEqual([100, 1]);
  });

  it('is refused to the second of two people who confirm the same at once', async () => {
    const one = await subscriberAt(product);
    const wanted = await refundOf(one, 300);
    const [first, second] = [await shownTo(support, one, wanted), await shownTo(admin, one, wanted)];
    const answers = await Promise.all([confirmAs(support, one, first), confirmAs(admin, one, second)]);
    const codes = answers.map(codeOf).sort();
    expect(codes[0]).toMatch(/^200 /);
    expect(codes[1]).toMatch(/^409 (?:PREVIEW_CHANGED|REFUND_TOO_LARGE)$/);
    await product.settled();
    expect(await refundedAt(one)).toBe(300);
  });

  it('is not made on what was shown to another person, for another member, or before something changed', async () => {
    const [one, other] = [await subscriberAt(product), await subscriberAt(product)];
    const preview = await shownTo(support, one, await refundOf(one, 100));
    expect(codeOf(await confirmAs(admin, one, preview))).toBe('409 PREVIEW_OF_ANOTHER_ACTION');
    expect(codeOf(await confirmAs(support, other, preview))).toBe('409 PREVIEW_OF_ANOTHER_ACTION');
    const forged = { previewId: `${preview.previewId.slice(0, -3)}abc` };
    expect(codeOf(await confirmAs(support, one, forged))).toBe('409 PREVIEW_EXPIRED');
    // What it does to the access is another thing now.
    const granted = await support.send('POST', `/api/admin/members/${one.accountId}/complimentary`, {
      tier: 'Elite',
      until: null,
      reason,
    });
    expect(granted.status).toBe(201);
    await product.settled();
    expect(codeOf(await confirmAs(support, one, preview))).toBe('409 PREVIEW_CHANGED');
    expect([await refundedAt(one), await refundedAt(other)]).toEqual([0, 0]);
  });

  it('that Stripe refuses stands in the queue, and can be abandoned with a reason', async () => {
    const one = await subscriberAt(product);
    const preview = await shownTo(support, one, await refundOf(one, 300));
    const [charge] = await chargesOf(one);
    await product.control('/deliveries/hold');
    await product.stripe.refunds.create({ charge: charge?.id ?? '', amount: 400 });
    expect(codeOf(await confirmAs(support, one, preview))).toBe('200 refused');
    await product.control('/deliveries/release');
    const [item] = (await refused()).filter(({ subscriptionId }) => subscriptionId === one.subscriptionId);
    expect(item).toMatchObject({ kind: 'refund', cause: 'support', code: 'REFUND_TOO_LARGE', amount: 300 });
    expect(await subscriptionOf(one)).toMatchObject({
      payments: [{ refunded: 400, refundable: 0 }],
      requests: [{ kind: 'refund', amount: 300, code: 'REFUND_TOO_LARGE' }],
    });
    const body = { subscriptionId: one.subscriptionId, requestId: item?.requestId, reason };
    expect((await support.send('POST', moneyRoutes.abandon, body)).status).toBe(204);
    expect((await refused()).filter(({ subscriptionId }) => subscriptionId === one.subscriptionId)).toEqual(
      [],
    );
    expect(await subscriptionOf(one)).toMatchObject({ payments: [{ refundable: 99 }], requests: [] });
    expect(await timelineOf(one, 'StripeWriteAbandoned')).toMatchObject([{ reason }]);
  });

  it('is refused once the account is deleted', async () => {
    const one = await subscriberAt(product);
    const wanted = await refundOf(one, 100);
    const preview = await shownTo(support, one, wanted);
    const gone = await one.member.send('DELETE', '/api/account', { confirmation: one.email });
    expect(gone.status).toBe(204);
    await eventually(async () => expect(await statusOf(one)).toBe('canceled'));
    await product.settled();
    expect(codeOf(await confirmAs(support, one, preview))).toBe('409 ACCOUNT_DELETED');
    expect(codeOf(await previewAs(support, one, wanted))).toBe('409 ACCOUNT_DELETED');
  });
});

describe('an end by support', () => {
  it('with the period can be taken back until then', async () => {
    const one = await subscriberAt(product);
    const preview = await shownTo(support, one, { kind: 'cancel' });
    const [access] = preview.access;
    expect(access?.after).toMatchObject({ tier: 'Pro', until: preview.endsAt });
    expect(codeOf(await confirmAs(support, one, preview))).toBe('200 done');
    expect((await product.stripe.subscriptions.retrieve(one.subscriptionId)).cancel_at_period_end).toBe(true);
    expect((await subscriptionOf(one)).actions).toEqual(['resume', 'end', 'transfer']);
    expect(await take(support, one, { kind: 'resume' })).toBe('done');
    expect((await product.stripe.subscriptions.retrieve(one.subscriptionId)).cancel_at_period_end).toBe(
      false,
    );
    expect(codeOf(await previewAs(support, one, { kind: 'resume' }))).toBe('409 NOT_CANCELLED');
  });

  it('at once gives back nothing, the unused time or all, as was shown', async () => {
    for (const part of ['nothing', 'unused', 'all'] as const) {
      const one = await subscriberAt(product);
      const preview = await shownTo(support, one, { kind: 'end', refund: part });
      const [lowest, highest] = { nothing: [0, 0], unused: [490, 499], all: [499, 499] }[part];
      expect(preview.refunded).toBeGreaterThanOrEqual(lowest ?? 0);
      expect(preview.refunded).toBeLessThanOrEqual(highest ?? 0);
      expect(codeOf(await confirmAs(support, one, preview))).toBe('200 done');
      await product.settled();
      expect([await statusOf(one), await refundedAt(one)]).toEqual(['canceled', preview.refunded]);
      expect(await tierOf(one.member)).toBe('Free ended');
    }
  });

  it('is done in full when its refund is refused for a while', async () => {
    const one = await subscriberAt(product);
    const fault = { kind: 'refuse', code: 'balance_insufficient', path: '/v1/refunds', method: 'POST' };
    await product.control('/calls/fail', fault);
    expect(await take(support, one, { kind: 'end', refund: 'all' })).toBe('refused');
    expect(await statusOf(one)).toBe('canceled');
    expect(await refundedAt(one)).toBe(0);
    await product.control('/clock', { seconds: 7 * 3_600 });
    await eventually(async () => expect(await refundedAt(one)).toBe(499));
    ({ support, admin } = await signInStaff(product));
    await eventually(async () => expect((await subscriptionOf(one)).requests).toEqual([]));
    expect(await refundCount(one)).toBe(1);
  });
});

describe('a purchase that belongs to nobody, or to the wrong account', () => {
  it('is given to the member who has asked for it', async () => {
    const sessionId = await buyByEmail(personAt(product), newEmail());
    await product.settled();
    const session = await product.stripe.checkout.sessions.retrieve(sessionId);
    const member = await memberAt(product, newEmail());
    const one = { accountId: await accountIdOf(member), subscriptionId: String(session.subscription) };
    const { unclaimed } = await moneyOf(support, one.accountId);
    expect(unclaimed).toContainEqual(
      expect.objectContaining({ subscriptionId: one.subscriptionId, isOwnAddress: false }),
    );
    const preview = await shownTo(support, one, { kind: 'attach' });
    expect(preview.access).toMatchObject([{ before: { tier: 'Free' }, after: { tier: 'Pro' } }]);
    expect(codeOf(await confirmAs(support, one, preview))).toBe('200 done');
    await product.settled();
    expect(await tierOf(member)).toBe('Pro active');
    expect(codeOf(await previewAs(support, one, { kind: 'attach' }))).toBe('409 PURCHASE_CLAIMED');
  });

  it('is transferred, by the rules of claims', async () => {
    const [one, other] = [await subscriberAt(product), await subscriberAt(product)];
    const member = await memberAt(product, newEmail());
    const toAccountId = await accountIdOf(member);
    const toOther = { kind: 'transfer', toAccountId: other.accountId } as const;
    expect(codeOf(await previewAs(support, one, toOther))).toBe('409 ALREADY_SUBSCRIBED');
    const preview = await shownTo(support, one, { kind: 'transfer', toAccountId });
    expect(preview.access.map(({ before, after }) => `${before.tier} to ${after.tier}`).toSorted()).toEqual([
      'Free to Pro',
      'Pro to Free',
    ]);
    expect(codeOf(await confirmAs(support, one, preview))).toBe('200 done');
    await product.settled();
    expect([await tierOf(one.member), await tierOf(member)]).toEqual(['Free ended', 'Pro active']);
    expect((await moneyOf(support, one.accountId)).subscriptions).toEqual([]);
    expect((await moneyOf(support, toAccountId)).subscriptions).toHaveLength(1);
    const unknown = '00000000-0000-4000-8000-000000000000';
    expect(codeOf(await previewAs(support, other, { kind: 'transfer', toAccountId: unknown }))).toBe(
      '404 ACCOUNT_NOT_FOUND',
    );
  });
});

describeHandovers(() => product);
describeApprovals(() => product);
describeForgottenKeys(() => product);

describe('a failed payment that support tries again', () => {
  it('is charged for what was shown, and says what the card has answered', async () => {
    ({ support, admin } = await signInStaff(product));
    const one = await subscriberAt(product);
    await product.control('/card', { customer: one.customerId, card: 'insufficient_funds' });
    await product.control('/clock', { seconds: 32 * daySeconds });
    ({ support, admin } = await signInStaff(product));
    await eventually(async () => expect((await subscriptionOf(one)).openInvoices).toHaveLength(1));
    const [invoice] = (await subscriptionOf(one)).openInvoices;
    expect(invoice).toMatchObject({
      amount: 999,
      declineCode: 'insufficient_funds',
      reason: 'The card does not have enough money on it',
    });
    const invoiceId = invoice?.invoiceId ?? '';
    const preview = await shownTo(support, one, { kind: 'retry', invoiceId });
    expect(preview).toMatchObject({ charged: 999, refunded: 0, card: { last4: '9995' } });
    expect(preview.access).toMatchObject([{ before: { status: 'grace' }, after: { status: 'active' } }]);
    const declined = await confirmAs(support, one, preview);
    expect(declined.body).toMatchObject({
      state: 'refused',
      message: expect.stringContaining('insufficient_funds'),
    });
    await product.control('/card', { customer: one.customerId, card: 'ok' });
    await product.settled();
    expect(await take(support, one, { kind: 'retry', invoiceId })).toBe('done');
    expect(await statusOf(one)).toBe('active');
    await product.settled();
    expect(await tierOf(await memberAt(product, one.email))).toBe('Pro active');
    expect(codeOf(await previewAs(support, one, { kind: 'retry', invoiceId }))).toBe('409 INVOICE_NOT_OPEN');
  }, 60_000);
});
