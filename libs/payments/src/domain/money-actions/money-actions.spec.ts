import { describe, expect, it } from '@jest/globals';
import {
  day,
  failure,
  january,
  openedDispute,
  paidInvoice,
  pro,
  record,
  refundOf,
  snapshot,
} from '../../testing/snapshots.ts';
import {
  after,
  ann,
  bob,
  bought,
  byMail,
  claim,
  entitlementAfter,
  request,
  requestsAfter,
  typesAfter,
} from '../../testing/subscription-history.ts';
import {
  end,
  eve,
  onPage,
  refund,
  refusalOf,
  requestIds,
  sam,
  stateOf,
  takeAfter,
} from '../../testing/support-actions.ts';
import type { SubscriptionCommand } from '../decide-subscription.ts';
import type { MoneyAction } from '../subscription-events.ts';
import { planAction } from './plan-action.ts';

const refuses = (commands: readonly SubscriptionCommand[], action: MoneyAction): string =>
  refusalOf(commands, () => takeAfter(commands, action));
const complete = (requestId: string): SubscriptionCommand => ({ type: 'CompleteStripeRequest', requestId });

describe('a refund by support', () => {
  const five = takeAfter([bought], refund(500));

  it('is recorded with who did it and why, and requested of Stripe for its amount', () => {
    const events = after(bought, five).slice(4);
    expect(events).toMatchObject([
      {
        type: 'MoneyActionTaken',
        data: {
          action: refund(500),
          refunds: [{ invoiceId: 'in_1', amount: 500 }],
          stake: 500,
          by: sam,
          approvedBy: null,
          reason: 'She has asked for it.',
        },
      },
      {
        type: 'StripeWriteRequested',
        data: {
          actionId: 'action',
          write: { kind: 'refund', invoiceId: 'in_1', cause: 'support', amount: 500 },
        },
      },
    ]);
  });

  it('is done once, however often it is confirmed', () => {
    expect(requestsAfter(bought, five, five, five)).toHaveLength(1);
  });

  it('never exceeds what is left, also while another one is under way or refused', () => {
    const [id = ''] = requestIds(bought, five);
    const refused = { type: 'RefuseStripeRequest', requestId: id, code: 'x', fixUrl: null } as const;
    const next = (actionId: string, amount: number) => (commands: readonly SubscriptionCommand[]) =>
      refusalOf(commands, () => takeAfter(commands, refund(amount), { actionId }));
    expect(next('b', 500)([bought, five])).toBe('REFUND_TOO_LARGE');
    expect(next('b', 499)([bought, five])).toBe('done');
    expect(next('b', 500)([bought, five, refused])).toBe('REFUND_TOO_LARGE');
    const done = record(
      snapshot('active', { observedAt: day('01-17') }, { refunds: [refundOf('in_1', 'succeeded', 500)] }),
    );
    expect(next('b', 500)([bought, five, done, complete(id)])).toBe('REFUND_TOO_LARGE');
    const rest = [bought, five, takeAfter([bought, five], refund(499), { actionId: 'b' })];
    expect(next('c', 1)(rest)).toBe('PAYMENT_REFUNDED');
  });

  it('is not what a second person has seen before', () => {
    const other = takeAfter([bought], refund(400), { actionId: 'b', by: eve });
    expect(refusalOf([bought, five], () => other)).toBe('PREVIEW_CHANGED');
    const all = takeAfter([bought], refund(999), { actionId: 'b', by: eve });
    expect(refusalOf([bought, five], () => all)).toBe('REFUND_TOO_LARGE');
  });

  it('of all of the period ends access and subscription, and of a part neither', () => {
    const plan = planAction(refund(999), stateOf(bought), onPage());
    expect(plan).toMatchObject({ endsAt: day('01-16'), entitlements: [{ phase: 'ended' }] });
    expect(planAction(refund(998), stateOf(bought), onPage())).toMatchObject({
      endsAt: null,
      entitlements: [{ phase: 'active' }],
    });
    const arrived = record(
      snapshot('active', { observedAt: day('01-17') }, { refunds: [refundOf('in_1', 'succeeded')] }),
    );
    const commands = [bought, takeAfter([bought], refund(999)), arrived];
    expect(entitlementAfter(...commands)).toMatchObject({ phase: 'ended', endReason: 'refunded' });
    expect(requestsAfter(...commands).at(-1)).toEqual({ kind: 'end-now', cause: 'refund' });
  });

  it('leaves the rest to a return that follows', () => {
    const returned = { type: 'ReturnPurchase', reason: 'second-purchase', now: day('01-17') } as const;
    expect(requestsAfter(bought, five, returned).slice(1)).toEqual([
      { kind: 'refund', invoiceId: 'in_1', cause: 'second-purchase' },
      { kind: 'end-now', cause: 'second-purchase' },
    ]);
  });

  it.each([
    ['of a payment that is not there', [bought], { ...refund(1), invoiceId: 'in_9' }, 'PAYMENT_NOT_FOUND'],
    [
      'of a disputed payment',
      [
        bought,
        record(snapshot('active', { observedAt: day('01-05') }, { disputes: [openedDispute('dp_1')] })),
      ],
      refund(1),
      'PAYMENT_DISPUTED',
    ],
    [
      'of a purchase that is given back',
      [bought, { type: 'ReturnPurchase', reason: 'second-purchase', now: day('01-02') } as const],
      refund(1),
      'RETURN_UNDER_WAY',
    ],
    [
      'of an account that is deleted',
      [bought, { type: 'CloseAccount', accountId: ann, isLate: false, now: day('01-02') } as const],
      refund(1),
      'ACCOUNT_DELETED',
    ],
    ['of more than was paid', [bought], refund(1_000), 'REFUND_TOO_LARGE'],
  ] as const)('%s is refused', (_, commands, action, code) => {
    expect(refuses(commands, action)).toBe(code);
  });

  it('is refused on the page of somebody else', () => {
    const elsewhere = (): SubscriptionCommand => takeAfter([bought], refund(1), { accountId: bob });
    expect(refusalOf([bought], elsewhere)).toBe('SUBSCRIPTION_NOT_FOUND');
  });
});

describe('an end by support', () => {
  it.each([
    ['nothing', []],
    // 16 of the 31 days of January, rounded down.
    ['unused', [{ kind: 'refund', invoiceId: 'in_1', cause: 'support', amount: 515 }]],
    ['all', [{ kind: 'refund', invoiceId: 'in_1', cause: 'support', amount: 999 }]],
  ] as const)('gives back %s, in one append with the end', (part, refunds) => {
    const taken = takeAfter([bought], end(part));
    expect(requestsAfter(bought, taken)).toEqual([{ kind: 'end-now', cause: 'support' }, ...refunds]);
    expect(planAction(end(part), stateOf(bought), onPage()).entitlements).toMatchObject([
      { phase: 'ended', endReason: part === 'all' ? 'refunded' : 'canceled' },
    ]);
  });

  it('gives back no more of the unused time than is left', () => {
    const some = takeAfter([bought], refund(600));
    const commands = [bought, some];
    const taken = takeAfter(commands, end('unused'), { actionId: 'b' });
    expect(requestsAfter(...commands, taken).at(-1)).toMatchObject({ amount: 399 });
  });

  it('counts each payment of a period that was upgraded for its own time', () => {
    const changed = [day('01-16'), day('02-01')] as const;
    const payments = [
      paidInvoice('in_1', january, { amountPaid: 1_000 }),
      paidInvoice('in_2', changed, { amountPaid: 800 }),
    ];
    const commands = [record(snapshot('active', {}, { payments }), { ...byMail, accountId: ann })];
    const at = day('01-24');
    const taken = takeAfter(commands, end('unused'), { at, now: at });
    expect(taken.shown).toContain('"amount":400');
    const refunds = planAction(end('unused'), stateOf(...commands), onPage({ at })).refunds;
    expect(Object.fromEntries(refunds.map(({ invoiceId, amount }) => [invoiceId, amount]))).toEqual({
      in_1: 258,
      in_2: 400,
    });
  });

  it('is refused once it is requested, or has happened', () => {
    const taken = takeAfter([bought], end('nothing'));
    expect(refusalOf([bought, taken], () => takeAfter([bought, taken], end('all'), { actionId: 'b' }))).toBe(
      'END_UNDER_WAY',
    );
    const over = record(snapshot('canceled', { observedAt: day('01-17'), endedAt: day('01-17') }));
    expect(refuses([bought, over], end('all'))).toBe('SUBSCRIPTION_ENDED');
  });
});

describe('a cancellation and a resumption by support', () => {
  const cancelled = record(snapshot('active', { cancelAtPeriodEnd: true, observedAt: day('01-17') }));

  it('are requested of Stripe', () => {
    const cancel = takeAfter([bought], { kind: 'cancel' });
    expect(requestsAfter(bought, cancel)).toEqual([{ kind: 'cancel', reason: null }]);
    const resume = takeAfter([bought, cancelled], { kind: 'resume' });
    expect(requestsAfter(bought, cancelled, resume)).toEqual([{ kind: 'resume' }]);
    expect(planAction({ kind: 'cancel' }, stateOf(bought), onPage()).entitlements).toMatchObject([
      { phase: 'active', endsAt: january[1] },
    ]);
  });

  it('are refused when they change nothing, or while another change is under way', () => {
    expect(refuses([bought, cancelled], { kind: 'cancel' })).toBe('CANCELLATION_SCHEDULED');
    expect(refuses([bought], { kind: 'resume' })).toBe('NOT_CANCELLED');
    const own = request({ kind: 'cancel', reason: null });
    expect(refuses([bought, own], { kind: 'cancel' })).toBe('CHANGE_UNDER_WAY');
  });
});

describe('a payment that support tries again', () => {
  const failed = record(
    snapshot(
      'past_due',
      { observedAt: day('02-01'), latestInvoiceId: 'in_2' },
      {
        failures: [failure('in_2', 1, day('02-03'))],
      },
    ),
  );
  const retry: MoneyAction = { kind: 'retry', invoiceId: 'in_2', amount: 999 };
  const taken = takeAfter([bought, failed], retry);
  const [id = ''] = requestIds(bought, failed, taken);

  it('is charged for what was shown, and refused when Stripe does not show the payment', () => {
    expect(requestsAfter(bought, failed, taken)).toEqual([
      { kind: 'pay', invoiceId: 'in_2', expectedAmount: 999 },
    ]);
    expect(typesAfter(bought, failed, taken, complete(id)).at(-1)).toBe('StripeWriteRefused');
    const paid = record(
      snapshot(
        'active',
        { observedAt: day('02-02') },
        {
          payments: [paidInvoice('in_2', [day('02-01'), day('03-01')])],
        },
      ),
    );
    expect(typesAfter(bought, failed, taken, paid, complete(id)).at(-1)).toBe('StripeWriteCompleted');
  });

  it('is not tried hours later: what Stripe has then decides', () => {
    const resolve = { type: 'ResolveStripeRequest', requestId: id } as const;
    expect(after(bought, failed, taken, resolve).at(-1)).toMatchObject({
      type: 'StripeWriteRefused',
      data: { code: 'OUTCOME_UNKNOWN' },
    });
  });

  it('is refused for an invoice that is not open, and while it is tried', () => {
    expect(refuses([bought], retry)).toBe('INVOICE_NOT_OPEN');
    const commands = [bought, failed, taken];
    expect(refusalOf(commands, () => takeAfter(commands, retry, { actionId: 'b' }))).toBe(
      'PAYMENT_UNDER_WAY',
    );
  });
});

describe('a purchase without an owner', () => {
  const waiting = record(snapshot(), byMail);
  const attach: MoneyAction = { kind: 'attach', toAccountId: ann };

  it('is given to the member, and entitles to what was paid', () => {
    const taken = takeAfter([waiting], attach);
    const types = typesAfter(waiting, taken).slice(-3);
    expect(types).toEqual(['MoneyActionTaken', 'PaymentTransferred', 'EntitlementChanged']);
    expect(entitlementAfter(waiting, taken)).toMatchObject({
      accountId: ann,
      phase: 'active',
      tier: pro.tier,
      proof: 'support',
    });
  });

  it('is refused once it has an owner, was given back, or when the member has another one', () => {
    expect(refuses([waiting, claim(bob)], attach)).toBe('PURCHASE_CLAIMED');
    const over = { type: 'RefundUnclaimed', now: day('01-31') } as const;
    expect(refuses([waiting, over], attach)).toBe('PURCHASE_NOT_CLAIMABLE');
    const handover = { intentId: 'i', emailHash: 'h', hasOtherSubscription: true };
    expect(refusalOf([waiting], () => takeAfter([waiting], attach, { handover }))).toBe('ALREADY_SUBSCRIBED');
  });
});

describe('a transfer by support', () => {
  const transfer: MoneyAction = { kind: 'transfer', toAccountId: bob };

  it('ends the access of the one, and gives it to the other', () => {
    const taken = takeAfter([bought], transfer);
    expect(planAction(transfer, stateOf(bought), onPage()).entitlements).toMatchObject([
      { accountId: ann, phase: 'ended', endReason: 'transferred' },
      { accountId: bob, phase: 'active' },
    ]);
    const { owner } = stateOf(bought, taken);
    expect(owner).toMatchObject({ accountId: bob, proof: 'support' });
  });

  it('is refused to the same account, of an ended purchase, and while something is requested', () => {
    expect(refuses([bought], { kind: 'transfer', toAccountId: ann })).toBe('SAME_ACCOUNT');
    const over = record(snapshot('canceled', { observedAt: day('01-17'), endedAt: day('01-17') }));
    expect(refuses([bought, over], transfer)).toBe('PURCHASE_ENDED');
    const some = takeAfter([bought], refund(1));
    expect(refusalOf([bought, some], () => takeAfter([bought, some], transfer, { actionId: 'b' }))).toBe(
      'CHANGE_UNDER_WAY',
    );
  });
});
