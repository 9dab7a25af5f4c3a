import { describe, expect, it } from '@jest/globals';
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
  codeOf,
  claim,
  request,
  bought,
  upgrade,
} from '../testing/subscription-history.ts';
import { subscriptionDecider } from './decide-subscription.ts';
import type { SubscriptionCommand } from './subscription-commands.ts';
import type { StripeRequest } from './subscription-events.ts';
import { refusalMessage } from './texts.ts';

describe('who owns a purchase', () => {
  it('by e-mail grants nothing until it is claimed, and only the first claim holds', () => {
    const paid = record(snapshot(), byMail);
    expect(typesAfter(paid)).toEqual(['SubscriptionObserved', 'PaymentRecorded', 'PurchaseUnclaimed']);
    expect(entitlementAfter(paid, claim(), claim())).toMatchObject({ accountId: ann, phase: 'active' });
    expect(codeOf(paid, claim(), claim(bob))).toBe('PURCHASE_CLAIMED');
    expect(codeOf(claim())).toBe('PURCHASE_NOT_FOUND');
    expect(codeOf(paid, { ...claim(), hasOtherSubscription: true } as SubscriptionCommand)).toBe(
      'ALREADY_SUBSCRIBED',
    );
  });

  it('ends for the account before when it is transferred', () => {
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

  it('is reminded of on days 1, 3 and 7, refunded on day 30, and never when it was claimed', () => {
    const paid = record(snapshot(), byMail);
    const remind = { type: 'RemindOfClaim', day: 1, refundAt: day('01-31') } as const;
    const refund = { type: 'RefundUnclaimed' } as const;
    expect(after(paid)[2]?.data).toMatchObject({
      remindAt: [
        { day: 1, at: day('01-02') },
        { day: 3, at: day('01-04') },
        { day: 7, at: day('01-08') },
      ],
      refundAt: day('01-31'),
    });
    expect(typesAfter(paid, remind, remind).slice(3)).toEqual(['ClaimReminderDue']);
    expect(requestsAfter(paid, refund, refund)).toEqual([
      { kind: 'refund', invoiceId: 'in_1', cause: 'unclaimed' },
      { kind: 'end-now', cause: 'unclaimed' },
    ]);
    expect(after(paid, claim(), remind, refund)).toEqual(after(paid, claim()));
    expect(codeOf(paid, refund, record(snapshot('canceled', { observedAt: day('02-01') })), claim())).toBe(
      'PURCHASE_ENDED',
    );
  });
});

describe('a change that is asked of Stripe', () => {
  const complete = { type: 'CompleteStripeRequest', requestId: 'cancel' } as const;

  it('is asked for once, is completed or refused once, and excludes another one meanwhile', () => {
    const cancel = request({ kind: 'cancel', reason: null });
    expect(typesAfter(bought, cancel, cancel, complete, complete).slice(4)).toEqual([
      'StripeWriteRequested',
      'StripeWriteCompleted',
    ]);
    expect(codeOf(bought, cancel, request(upgrade))).toBe('CHANGE_UNDER_WAY');
    const refuse = { type: 'RefuseStripeRequest', requestId: 'cancel', code: 'x', fixUrl: null } as const;
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
  ] as const)('is refused %s', (_, given, asked, code) => {
    expect(codeOf(given, { ...asked })).toBe(code);
  });

  it('whose outcome is unknown is resolved by what Stripe has, unless it must be done', () => {
    const outcome = (write: StripeRequest, given: Parameters<typeof snapshot>[1]): unknown => {
      const read = record(snapshot('active', { observedAt: day('01-05'), ...given }), byAnn);
      const resolve = { type: 'ResolveStripeRequest', requestId: write.kind } as const;
      return after(bought, request(write), read, resolve, resolve).flatMap(({ type, data }) =>
        type === 'StripeWriteCompleted' || type === 'StripeWriteRefused'
          ? [type === 'StripeWriteRefused' ? data.code : type]
          : [],
      );
    };
    const cancel = { kind: 'cancel', reason: null } as const;
    expect(outcome(cancel, { cancelAtPeriodEnd: true })).toEqual(['StripeWriteCompleted']);
    expect(outcome(cancel, {})).toEqual(['OUTCOME_UNKNOWN']);
    expect(outcome(upgrade, { plan: elite })).toEqual(['StripeWriteCompleted']);
    expect(outcome(upgrade, {})).toEqual(['OUTCOME_UNKNOWN']);
    expect(outcome({ kind: 'refund', invoiceId: 'in_1', cause: 'support' }, {})).toEqual([]);
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

  it('changes nothing when Stripe has it already', () => {
    const is = (write: StripeRequest, given: Parameters<typeof snapshot>[1] = {}): unknown =>
      requestsAfter(record(snapshot('active', given), byAnn), request(write));
    expect(is({ kind: 'cancel', reason: null }, { cancelAtPeriodEnd: true })).toEqual([]);
    expect(is({ kind: 'resume' })).toEqual([]);
    expect(is({ kind: 'keep-plan' })).toEqual([]);
    const annual = { tier: 'Pro', period: 'annual' } as const;
    const scheduled = { plan: annual, scheduledPlan: { ...pro, at: day('02-01') } };
    expect(is({ kind: 'downgrade', plan: pro }, scheduled)).toEqual([]);
  });
});

it('has the stream of the subscription as the name of the key that encrypts its card', () => {
  expect(after(bought)[0]?.data).toMatchObject({ personalSubject: `subscription:${subscriptionId}` });
  expect(subscriptionDecider.snapshot?.subjectOf?.(`subscription-${subscriptionId}`)).toBe(
    `subscription:${subscriptionId}`,
  );
});
