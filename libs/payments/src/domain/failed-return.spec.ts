import { describe, expect, it } from '@jest/globals';
import { stateAfter } from '@tapedeck/eventing';
import { derivedId } from '@tapedeck/kernel';
import { day, openedDispute, record, refundOf, snapshot, subscriptionId } from '../testing/snapshots.ts';
import { after, bought, byMail, requestsAfter, typesAfter } from '../testing/subscription-history.ts';
import { eve, refusalOf, sam, stateOf } from '../testing/support-actions.ts';
import type { AbandonStripeRequest } from './money-actions/abandon-request.ts';
import { subscriptionDecider, type SubscriptionCommand } from './decide-subscription.ts';
import { returnAmounts } from './purchase-return.ts';
import type { SubscriptionEvent } from './subscription-events.ts';

type Money = Parameters<typeof snapshot>[2];

const begin = { type: 'ReturnPurchase', reason: 'second-purchase', now: day('01-02') } as const;
const requestId = derivedId('return', subscriptionId, 'in_1');
const accept = { type: 'CompleteStripeRequest', requestId } as const;
const refuse = (code: string): SubscriptionCommand => ({
  type: 'RefuseStripeRequest',
  requestId,
  code,
  fixUrl: null,
});
const ended = (at: string, money: Money): SubscriptionCommand =>
  record(snapshot('canceled', { endedAt: day('01-02'), observedAt: day(at) }, money));
const refunded = (status: 'pending' | 'succeeded' | 'failed', at: string, refundId = 're_1') =>
  ended(at, { refunds: [{ ...refundOf('in_1', status), refundId }] });
const check = (at: string): SubscriptionCommand => ({ type: 'CheckMoney', now: day(at) });

const onItsWay = [bought, begin, refunded('pending', '01-03'), accept];
const sentBack = [...onItsWay, refunded('failed', '01-20')];
const arrived = [...onItsWay, refunded('succeeded', '01-05')];

const only = (
  type: SubscriptionEvent['type'],
  commands: readonly SubscriptionCommand[],
): readonly SubscriptionEvent[] => after(...commands).filter((event) => event.type === type);

describe('a return whose refund the bank sends back', () => {
  const refused = [
    {
      data: {
        requestId,
        kind: 'refund',
        code: 'refund_failed',
        write: { kind: 'refund', invoiceId: 'in_1', cause: 'second-purchase' },
      },
    },
  ];

  it('waits for a person among the refused requests, once', () => {
    const again = [...sentBack, refunded('failed', '01-21'), check('01-22')];
    expect(only('StripeWriteRefused', again)).toMatchObject(refused);
    expect(typesAfter(...again)).not.toContain('PurchaseReturnCompleted');
  });

  it('waits also when it was completed before, and its period is over', () => {
    const completed = [...arrived, refunded('failed', '02-20')];
    expect(typesAfter(...arrived)).toContain('PurchaseReturnCompleted');
    expect(only('StripeWriteRefused', completed)).toMatchObject(refused);
    expect(typesAfter(...completed, check('03-01'))).toEqual(typesAfter(...completed));
  });

  it('waits from the next comparison on when it was sent back before that was known', () => {
    const before = after(...sentBack).filter(({ type }) => type !== 'StripeWriteRefused');
    const found = subscriptionDecider.decide(check('02-20'), stateAfter(subscriptionDecider, before));
    expect(found).toMatchObject(refused);
  });

  it('waits when it belongs to nobody, as a purchase that was not claimed in time', () => {
    const unclaimed = record(snapshot(), byMail);
    const over = { type: 'RefundUnclaimed', now: day('01-31') } as const;
    const commands = [unclaimed, over, refunded('pending', '01-31'), accept, refunded('failed', '02-08')];
    expect(only('StripeWriteRefused', commands)).toHaveLength(1);
  });

  it('is over when a person has repeated it and the money has arrived', () => {
    const repeat = {
      type: 'RepeatStripeRequest',
      requestId: 'again',
      repeats: requestId,
      comment: 'She has another card at the same bank.',
    } as const;
    expect(requestsAfter(...sentBack, repeat).at(-1)).toEqual({
      kind: 'refund',
      invoiceId: 'in_1',
      cause: 'second-purchase',
    });
    const done = after(...sentBack, repeat, refunded('succeeded', '01-25', 're_2'), {
      ...accept,
      requestId: 'again',
    });
    expect(done.map(({ type }) => type)).toContain('PurchaseReturnCompleted');
    expect(done.at(-1)).toMatchObject({ type: 'StripeWriteCompleted', data: { requestId: 'again' } });
  });

  it('waits again when Stripe has accepted the repetition and nothing is on its way', () => {
    const repeat = {
      type: 'RepeatStripeRequest',
      requestId: 'again',
      repeats: requestId,
      comment: null,
    } as const;
    const commands = [...sentBack, repeat, { ...accept, requestId: 'again' }];
    expect(only('StripeWriteRefused', commands).at(-1)).toMatchObject({ data: { requestId: 'again' } });
  });
});

describe('what a return owes and was paid in another way', () => {
  const settle = (given: Partial<AbandonStripeRequest> = {}): AbandonStripeRequest => ({
    type: 'AbandonStripeRequest',
    requestId,
    reason: 'Paid to the account that she named.',
    by: sam,
    isAdmin: false,
    limit: 20_000,
    ...given,
  });

  it('is settled by a person with a reason: the return is over, and nothing is found', () => {
    const commands = [...sentBack, settle(), settle(), check('01-25')];
    expect(typesAfter(...commands).slice(-2)).toEqual(['StripeWriteAbandoned', 'PurchaseReturnCompleted']);
    expect(requestsAfter(...commands, refunded('failed', '01-26'))).toHaveLength(2);
    expect(returnAmounts(stateOf(...commands))).toEqual({ amount: 0, refunded: 0 });
  });

  it('is not settled while Stripe may still accept it', () => {
    const commands = [bought, begin, refuse('charge_disputed')];
    expect(refusalOf(commands, settle)).toBe('WRITE_IS_OWED');
    expect(refusalOf(onItsWay, settle)).toBe('WRITE_NOT_REFUSED');
  });

  it('needs a second person above the limit, who is an admin', () => {
    const proposed = [...sentBack, settle({ limit: 998 })];
    expect(after(...proposed).at(-1)).toMatchObject({
      type: 'StripeWriteAbandonProposed',
      data: { by: sam },
    });
    expect(refusalOf(proposed, () => settle({ limit: 998, isAdmin: true }))).toBe('OWN_PROPOSAL');
    expect(refusalOf(proposed, () => settle({ limit: 998, by: eve }))).toBe('FOR_ADMINS');
    const approved = settle({ limit: 998, by: eve, isAdmin: true });
    expect(typesAfter(...proposed, approved)).toContain('StripeWriteAbandoned');
  });
});

describe('a return of a payment that the bank takes by a dispute', () => {
  const closed = (outcome: 'won' | 'lost', at: string, invoiceId: string | null = 'in_1') =>
    ended(at, {
      disputes: [{ ...openedDispute('dp_1'), invoiceId, chargeId: 'ch_other' }],
      closedDisputes: [{ disputeId: 'dp_1', outcome, closedAt: day(at) }],
    });
  const disputed = [bought, begin, refuse('charge_disputed')];

  it('is over, and owes nothing any more', () => {
    const commands = [...disputed, closed('lost', '01-12')];
    expect(typesAfter(...commands)).toContain('StripeWriteCompleted');
    expect(only('PurchaseReturnCompleted', commands)).toMatchObject([{ data: { amount: 0 } }]);
    expect(typesAfter(...commands, check('01-13'))).toEqual(typesAfter(...commands));
  });

  it('is known by its charge where older facts do not name the invoice', () => {
    const byCharge = ended('01-12', {
      disputes: [openedDispute('dp_1')],
      closedDisputes: [{ disputeId: 'dp_1', outcome: 'lost', closedAt: day('01-12') }],
    });
    expect(typesAfter(...disputed, byCharge)).toContain('PurchaseReturnCompleted');
  });

  it('goes on when the dispute is about another payment, or was won', () => {
    for (const other of [closed('lost', '01-12', null), closed('won', '01-12')])
      expect(typesAfter(...disputed, other)).not.toContain('PurchaseReturnCompleted');
  });

  it('owes it again when an appeal gives the money back', () => {
    const commands = [...disputed, closed('lost', '01-12'), closed('won', '02-12')];
    expect(only('StripeWriteRefused', commands).at(-1)).toMatchObject({
      data: { requestId, code: 'NOT_CONFIRMED' },
    });
  });
});
