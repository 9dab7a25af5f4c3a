import { describe, expect, it } from '@jest/globals';
import { deciderSpec } from '@tapedeck/eventing/testing';
import {
  day,
  elite,
  intentId,
  january,
  openedDispute,
  pro,
  snapshot,
  record,
  subscriptionId,
} from '../testing/snapshots.ts';
import {
  ann,
  bob,
  byAnn,
  byMail,
  after,
  typesAfter,
  entitlementAfter,
  requestsAfter,
  claim,
  request,
  bought,
  upgrade,
} from '../testing/subscription-history.ts';
import { subscriptionDecider } from './decide-subscription.ts';
import type { StripeRequest } from './subscription-events.ts';
import { refusalMessage } from './texts.ts';

const { given } = deciderSpec(subscriptionDecider);

describe('a purchase by e-mail', () => {
  const paid = record(snapshot(), byMail);
  const remind = { type: 'RemindOfClaim', day: 1, refundAt: day('01-31') } as const;
  const refund = { type: 'RefundUnclaimed', now: day('01-31') } as const;

  it('entitles no account until it is claimed', () => {
    expect(typesAfter(paid)).toEqual(['SubscriptionObserved', 'PaymentRecorded', 'PurchaseUnclaimed']);
  });

  it('entitles the account that claims it', () => {
    expect(entitlementAfter(paid, claim())).toMatchObject({ accountId: ann, phase: 'active' });
  });

  it('is claimed once', () => {
    given(...after(paid, claim()))
      .when(claim())
      .thenNothing();
  });

  it('cannot be claimed by a second account', () => {
    given(...after(paid, claim()))
      .when(claim(bob))
      .thenRefused('PURCHASE_CLAIMED');
  });

  it('cannot be claimed before Stripe has it', () => {
    given().when(claim()).thenRefused('PURCHASE_NOT_FOUND');
  });

  it('cannot be claimed by an account with another subscription', () => {
    given(...after(paid))
      .when({ ...claim(), hasOtherSubscription: true })
      .thenRefused('ALREADY_SUBSCRIBED');
  });

  it('cannot be claimed when another plan was paid than that of the checkout', () => {
    given(...after(paid))
      .when({ ...claim(), plan: elite })
      .thenRefused('PURCHASE_OF_ANOTHER_PLAN');
  });

  it('cannot be claimed after its refund and end', () => {
    const ended = record(snapshot('canceled', { observedAt: day('02-01') }));
    given(...after(paid, refund, ended))
      .when(claim())
      .thenRefused('PURCHASE_ENDED');
  });

  it('is reminded of on days 1, 3 and 7, and refunded on day 30', () => {
    expect(after(paid)[2]?.data).toMatchObject({
      remindAt: [
        { day: 1, at: day('01-02') },
        { day: 3, at: day('01-04') },
        { day: 7, at: day('01-08') },
      ],
      refundAt: day('01-31'),
    });
  });

  it('is reminded of once a day', () => {
    expect(typesAfter(paid, remind, remind).slice(3)).toEqual(['ClaimReminderDue']);
  });

  it('is refunded and ended once when it was not claimed', () => {
    expect(requestsAfter(paid, refund, refund)).toEqual([
      { kind: 'refund', invoiceId: 'in_1', cause: 'unclaimed' },
      { kind: 'end-now', cause: 'unclaimed' },
    ]);
  });

  it.each([remind, refund])('is not changed by a due date once it was claimed: $type', (command) => {
    given(...after(paid, claim()))
      .when(command)
      .thenNothing();
  });
});

it('a transfer ends the entitlement of the account before, and entitles the new one', () => {
  const events = after(bought, {
    type: 'TransferPurchase',
    toAccountId: bob,
    intentId,
    fromEmailHash: 'h',
    proof: 'mailbox',
    hasOtherSubscription: false,
    now: day('01-07'),
  });
  expect(events.slice(4)).toMatchObject([
    { type: 'PaymentTransferred', data: { fromAccountId: ann, toAccountId: bob } },
    { data: { accountId: ann, phase: 'ended', endReason: 'transferred', endedAt: day('01-07') } },
    { data: { accountId: bob, phase: 'active', paidUntil: january[1] } },
  ]);
});

const cancelNow = { kind: 'cancel', reason: null } as const;

/** The outcome of a request that is resolved twice, with what Stripe has. */
const outcomesOf = (wanted: StripeRequest, has: Parameters<typeof snapshot>[1]): readonly string[] => {
  const read = record(snapshot('active', { observedAt: day('01-05'), ...has }), byAnn);
  const resolve = { type: 'ResolveStripeRequest', requestId: wanted.kind } as const;
  return after(bought, request(wanted), read, resolve, resolve).flatMap(({ type, data }) => {
    if (type === 'StripeWriteRefused') return [data.code];
    return type === 'StripeWriteCompleted' ? [type] : [];
  });
};

describe('a change that is requested of Stripe', () => {
  const cancel = request(cancelNow);
  const complete = { type: 'CompleteStripeRequest', requestId: 'cancel' } as const;
  const refuse = { type: 'RefuseStripeRequest', requestId: 'cancel', code: 'x', fixUrl: null } as const;

  it('is recorded once', () => {
    expect(typesAfter(bought, cancel, cancel).slice(4)).toEqual(['StripeWriteRequested']);
  });

  it('is completed once', () => {
    const cancelled = record(
      snapshot('active', { observedAt: day('01-05'), cancelAtPeriodEnd: true }),
      byAnn,
    );
    const types = typesAfter(bought, cancel, cancelled, complete, complete);
    expect(types.filter((type) => type.startsWith('StripeWrite'))).toEqual([
      'StripeWriteRequested',
      'StripeWriteCompleted',
    ]);
  });

  it('is not completed when it was never requested', () => {
    given(...after(bought))
      .when(complete)
      .thenRefused('WRITE_UNKNOWN');
  });

  it('excludes another one while it is open', () => {
    given(...after(bought, cancel))
      .when(request(upgrade))
      .thenRefused('CHANGE_UNDER_WAY');
  });

  it('allows another one once it is refused', () => {
    expect(typesAfter(bought, cancel, refuse, request(upgrade)).slice(5)).toEqual([
      'StripeWriteRefused',
      'StripeWriteRequested',
    ]);
  });

  it.each([
    ['of another account', bought, request(upgrade, bob), 'SUBSCRIPTION_NOT_FOUND'],
    ['to the same plan', bought, request({ ...upgrade, plan: pro }), 'PLAN_UNCHANGED'],
    [
      'to a lower plan at once',
      record(snapshot('active', { plan: elite }), byAnn),
      request({ ...upgrade, plan: pro }),
      'OTHER_KIND_OF_CHANGE',
    ],
    [
      'to a higher plan at the end of the period',
      bought,
      request({ kind: 'downgrade', plan: elite }),
      'OTHER_KIND_OF_CHANGE',
    ],
    ['while a renewal is unpaid', record(snapshot('past_due'), byAnn), request(upgrade), 'PAYMENT_DUE'],
    [
      'after a cancellation',
      record(snapshot('active', { cancelAtPeriodEnd: true }), byAnn),
      request(upgrade),
      'CANCELLATION_SCHEDULED',
    ],
    [
      'while an upgrade is unpaid',
      record(snapshot('active', { pendingPlan: { ...elite, expiresAt: day('01-06') } }), byAnn),
      request(upgrade),
      'UPGRADE_NOT_PAID',
    ],
    [
      'while a payment is disputed',
      record(snapshot('active', {}, { disputes: [openedDispute('dp_1')] }), byAnn),
      request(upgrade),
      'PAYMENT_DISPUTED',
    ],
    [
      'after the end',
      record(snapshot('canceled', { endedAt: day('01-20') }), byAnn),
      request({ kind: 'resume' }),
      'SUBSCRIPTION_ENDED',
    ],
    [
      'of a payment that does not exist',
      bought,
      request({ kind: 'refund', invoiceId: 'in_9', cause: 'support' }),
      'PAYMENT_NOT_FOUND',
    ],
  ] as const)('is refused %s', (_, recorded, requested, code) => {
    given(...after(recorded))
      .when(requested)
      .thenRefused(code);
  });

  it.each([
    ['a cancellation', 'StripeWriteCompleted', 'has it', cancelNow, { cancelAtPeriodEnd: true }],
    ['a cancellation', 'OUTCOME_UNKNOWN', 'does not have it', cancelNow, {}],
    ['an upgrade', 'StripeWriteCompleted', 'has it', upgrade, { plan: elite }],
    ['an upgrade', 'OUTCOME_UNKNOWN', 'does not have it', upgrade, {}],
  ] as const)(
    'that is %s of unknown outcome becomes %s once when Stripe %s',
    (_, outcome, _has, wanted, has) => {
      expect(outcomesOf(wanted, has)).toEqual([outcome]);
    },
  );

  it('that is a refund is tried until its outcome is known', () => {
    expect(outcomesOf({ kind: 'refund', invoiceId: 'in_1', cause: 'support' }, {})).toEqual([]);
  });

  it('that is refused is explained by its code, and by the card only where a card was charged', () => {
    expect(refusalMessage('generic_decline', 'upgrade')).toContain('declined');
    expect(refusalMessage('insufficient_funds', 'upgrade')).toContain('another card');
    for (const [code, kind] of [
      ['resource_missing', 'upgrade'],
      ['SUBSCRIPTION_EMPTY', 'upgrade'],
      ['generic_decline', 'downgrade'],
    ] as const)
      expect(refusalMessage(code, kind)).toContain('did not accept');
  });

  it.each([
    ['a cancellation', cancelNow, { cancelAtPeriodEnd: true }],
    ['a resumption', { kind: 'resume' }, {}],
    ['to keep the plan', { kind: 'keep-plan' }, {}],
    [
      'a downgrade',
      { kind: 'downgrade', plan: pro },
      { plan: { tier: 'Pro', period: 'annual' }, scheduledPlan: { ...pro, at: day('02-01') } },
    ],
  ] as const)('is not made when Stripe has it already: %s', (_, wanted, has) => {
    given(...after(record(snapshot('active', has), byAnn)))
      .when(request(wanted))
      .thenNothing();
  });
});

it('has the stream of the subscription as the name of the key that encrypts its card', () => {
  expect(after(bought)[0]?.data).toMatchObject({ personalSubject: `subscription:${subscriptionId}` });
  expect(subscriptionDecider.snapshot?.subjectOf?.(`subscription-${subscriptionId}`)).toBe(
    `subscription:${subscriptionId}`,
  );
});
