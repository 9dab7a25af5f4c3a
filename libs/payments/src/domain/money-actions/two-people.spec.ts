import { describe, expect, it } from '@jest/globals';
import { day } from '../../testing/snapshots.ts';
import { after, bought, requestsAfter, typesAfter } from '../../testing/subscription-history.ts';
import {
  approveAfter,
  end,
  eve,
  refund,
  refusalOf,
  requestIds,
  sam,
  takeAfter,
} from '../../testing/support-actions.ts';
import type { SubscriptionCommand } from '../decide-subscription.ts';

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
      {
        type: 'MoneyActionTaken',
        data: { by: sam, approvedBy: eve, approvalReason: 'I have read the ticket.' },
      },
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
    expect(
      typesAfter(...expired, expire(day('01-24'))).filter((type) => type === 'MoneyActionExpired'),
    ).toHaveLength(1);
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
  const abandon = {
    type: 'AbandonStripeRequest',
    requestId,
    reason: 'Done by the bank.',
    by: sam,
    isAdmin: false,
    limit: 0,
  } as const;
  const commands = [bought, taken, refused];

  it('is repeated with its amount', () => {
    const repeat = {
      type: 'RepeatStripeRequest',
      requestId: 'r',
      repeats: requestId,
      comment: null,
    } as const;
    expect(after(...commands, repeat).at(-1)).toMatchObject({
      data: { repeats: requestId, actionId: 'action', write: { amount: 500 } },
    });
  });

  it('can be abandoned once, which leaves its amount to others, and is repeated no more', () => {
    const given = [...commands, abandon];
    expect(typesAfter(...given, abandon).filter((type) => type === 'StripeWriteAbandoned')).toHaveLength(1);
    expect(refusalOf(given, () => takeAfter(given, refund(999), { actionId: 'b' }))).toBe('done');
    const repeat = {
      type: 'RepeatStripeRequest',
      requestId: 'r',
      repeats: requestId,
      comment: null,
    } as const;
    expect(requestsAfter(...given, repeat)).toHaveLength(1);
  });

  it('is not abandoned while it is under way, nor one that the product owes', () => {
    expect(refusalOf([bought, taken], () => abandon)).toBe('WRITE_NOT_REFUSED');
    const returned = { type: 'ReturnPurchase', reason: 'second-purchase', now: day('01-02') } as const;
    const [owed = ''] = requestIds(bought, returned);
    const all = [bought, returned, { ...refused, requestId: owed }];
    expect(refusalOf(all, () => ({ ...abandon, requestId: owed }))).toBe('WRITE_IS_OWED');
  });
});
