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
import { approveAfter, eve, onPage, sam, stateOf, takeAfter } from '../../testing/support-actions.ts';
import type { SubscriptionCommand } from '../decide-subscription.ts';
import type { MoneyAction } from '../subscription-events.ts';
import { planAction } from './plan-action.ts';

const refund = (amount: number): MoneyAction => ({ kind: 'refund', invoiceId: 'in_1', amount });
const end = (part: 'nothing' | 'unused' | 'all'): MoneyAction => ({ kind: 'end', refund: part });

/** The code of the refusal of a command on the state after the others. */
const refusalOf = (commands: readonly SubscriptionCommand[], command: () => SubscriptionCommand): string => {
  try {
    after(...commands, command());
    return 'done';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
};
const refuses = (commands: readonly SubscriptionCommand[], action: MoneyAction): string =>
  refusalOf(commands, () => takeAfter(commands, action));
const complete = (requestId: string): SubscriptionCommand => ({ type: 'CompleteStripeRequest', requestId });
const requestIds = (...commands: readonly SubscriptionCommand[]): readonly string[] =>
  Object.keys(stateOf(...commands).requests);

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
      [bought, record(snapshot('active', { observedAt: day('01-05') }, { disputes: [openedDispute('dp_1')] }))],
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
    expect(
      refusalOf([bought, taken], () => takeAfter([bought, taken], end('all'), { actionId: 'b' })),
    ).toBe('END_UNDER_WAY');
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
    snapshot('past_due', { observedAt: day('02-01'), latestInvoiceId: 'in_2' }, {
      failures: [failure('in_2', 1, day('02-03'))],
    }),
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
      snapshot('active', { observedAt: day('02-02') }, {
        payments: [paidInvoice('in_2', [day('02-01'), day('03-01')])],
      }),
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

describe('the rule of two people', () => {
  const limit = 900;
  const proposed = takeAfter([bought], refund(950), { limit });
  const commands = [bought, proposed];

  it('makes a proposal of what is above the limit, and nothing happens until it is approved', () => {
    expect(after(...commands).at(-1)).toMatchObject({
      type: 'MoneyActionProposed',
      data: { proposalId: 'action', stake: 950, by: sam, expiresAt: day('01-23') },
    });
    expect(requestsAfter(...commands)).toEqual([]);
    const approve = approveAfter(commands, { limit });
    expect(after(...commands, approve).slice(-2)).toMatchObject([
      { type: 'MoneyActionTaken', data: { by: sam, approvedBy: eve, approvalReason: 'I have read the ticket.' } },
      { type: 'StripeWriteRequested', data: { write: { amount: 950 } } },
    ]);
  });

  it('needs another person, and decides once', () => {
    const own = approveAfter(commands, { limit, by: sam });
    expect(refusalOf(commands, () => own)).toBe('OWN_PROPOSAL');
    const approve = approveAfter(commands, { limit });
    expect(refusalOf([...commands, approve], () => approve)).toBe('PROPOSAL_DECIDED');
    const reject = {
      type: 'RejectMoneyAction',
      proposalId: 'action',
      by: eve,
      isAdmin: true,
      reason: 'no',
      now: day('01-17'),
    } as const;
    expect(typesAfter(...commands, reject).at(-1)).toBe('MoneyActionRejected');
    expect(refusalOf([...commands, reject], () => approve)).toBe('PROPOSAL_DECIDED');
    expect(refusalOf(commands, () => ({ ...reject, isAdmin: false }))).toBe('PROPOSAL_OF_ANOTHER');
    expect(after(...commands, { ...reject, isAdmin: false, by: sam }).at(-1)).toMatchObject({
      data: { isWithdrawn: true },
    });
  });

  it('computes what is approved again', () => {
    const some = takeAfter(commands, refund(30), { limit, actionId: 'b' });
    const approve = approveAfter(commands, { limit });
    expect(refusalOf([...commands, some], () => approve)).toBe('PREVIEW_CHANGED');
    const more = takeAfter(commands, refund(60), { limit, actionId: 'b' });
    expect(refusalOf([...commands, more], () => approve)).toBe('REFUND_TOO_LARGE');
  });

  it('ends after seven days', () => {
    const expire = (now: string): SubscriptionCommand => ({
      type: 'ExpireMoneyAction',
      proposalId: 'action',
      now,
    });
    expect(typesAfter(...commands, expire(day('01-22'))).at(-1)).toBe('MoneyActionProposed');
    const expired = [...commands, expire(day('01-23'))];
    expect(typesAfter(...expired, expire(day('01-24'))).filter((type) => type === 'MoneyActionExpired')).toHaveLength(1);
    const late = approveAfter(commands, { limit, now: day('01-23') });
    expect(refusalOf(commands, () => late)).toBe('PROPOSAL_EXPIRED');
    expect(refusalOf(expired, () => approveAfter(commands, { limit }))).toBe('PROPOSAL_EXPIRED');
  });

  it('is not avoided by several small refunds on one day', () => {
    const small = takeAfter([bought], refund(500), { limit });
    const second = takeAfter([bought, small], refund(450), { limit, actionId: 'b' });
    expect(typesAfter(bought, small, second).at(-1)).toBe('MoneyActionProposed');
    const later = { at: day('01-18'), now: day('01-18') };
    const third = takeAfter([bought, small], refund(450), { limit, actionId: 'b', ...later });
    expect(typesAfter(bought, small, third).at(-1)).toBe('StripeWriteRequested');
  });

  it('holds for the time that an end takes away, also when nothing goes back', () => {
    const ending = takeAfter([bought], end('nothing'), { limit: 500 });
    expect(after(bought, ending).at(-1)).toMatchObject({ type: 'MoneyActionProposed', data: { stake: 515 } });
    expect(typesAfter(bought, takeAfter([bought], end('nothing'), { limit: 515 })).at(-1)).toBe(
      'StripeWriteRequested',
    );
  });

  it('allows one proposal of a subscription at a time', () => {
    const other = (): SubscriptionCommand => takeAfter(commands, refund(940), { limit, actionId: 'b' });
    expect(refusalOf(commands, other)).toBe('PROPOSAL_WAITS');
  });
});

describe('a refused refund of support', () => {
  const taken = takeAfter([bought], refund(500));
  const [requestId = ''] = requestIds(bought, taken);
  const refused = { type: 'RefuseStripeRequest', requestId, code: 'x', fixUrl: null } as const;
  const abandon = { type: 'AbandonStripeRequest', requestId, reason: 'Done by the bank.' } as const;
  const commands = [bought, taken, refused];

  it('is repeated with its amount', () => {
    const repeat = { type: 'RepeatStripeRequest', requestId: 'r', repeats: requestId, comment: null } as const;
    expect(after(...commands, repeat).at(-1)).toMatchObject({
      data: { repeats: requestId, actionId: 'action', write: { amount: 500 } },
    });
  });

  it('can be given up once, which leaves its amount to others, and is repeated no more', () => {
    const given = [...commands, abandon];
    expect(typesAfter(...given, abandon).filter((type) => type === 'StripeWriteAbandoned')).toHaveLength(1);
    expect(refusalOf(given, () => takeAfter(given, refund(999), { actionId: 'b' }))).toBe('done');
    const repeat = { type: 'RepeatStripeRequest', requestId: 'r', repeats: requestId, comment: null } as const;
    expect(requestsAfter(...given, repeat)).toHaveLength(1);
  });

  it('is not given up while it is under way, nor one that the product owes', () => {
    expect(refusalOf([bought, taken], () => abandon)).toBe('WRITE_NOT_REFUSED');
    const returned = { type: 'ReturnPurchase', reason: 'second-purchase', now: day('01-02') } as const;
    const [owed = ''] = requestIds(bought, returned);
    const all = [bought, returned, { ...refused, requestId: owed }];
    expect(refusalOf(all, () => ({ ...abandon, requestId: owed }))).toBe('WRITE_IS_OWED');
  });
});
