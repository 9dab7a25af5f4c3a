import { describe, expect, it } from '@jest/globals';
import { stateAfter } from '@tapedeck/eventing/core';
import { recordedEvent } from '@tapedeck/eventing/testing';
import { announcement, notice, withdraw } from '../testing/price-notices.ts';
import { day, elite, paidInvoice, record, snapshot } from '../testing/snapshots.ts';
import { after, ann, bought, byAnn } from '../testing/subscription-history.ts';
import { subscriptionDecider, type SubscriptionCommand } from './decide-subscription.ts';
import { letterFor, type Announced, type Letter } from './letters.ts';
import type { SubscriptionEvent } from './subscription-events.ts';

const observed = (given: Parameters<typeof snapshot>[1]): SubscriptionCommand =>
  record(snapshot('active', { observedAt: day('01-15'), ...given }));

const priceTypes: readonly string[] = ['PriceNoticeGiven', 'PriceNoticeWithdrawn', 'RenewalNoticeDue'];
const isOfPrice = (event: SubscriptionEvent): event is Announced => priceTypes.includes(event.type);

/** Those of the notices, sent at an instant, when all the commands were executed. */
const letters = (at: string, ...commands: readonly SubscriptionCommand[]): readonly Letter[] => {
  const events = after(...commands).map((event, index) => recordedEvent(event, { version: index + 1 }));
  const now = stateAfter(subscriptionDecider, events);
  return events.flatMap((event) => {
    if (!isOfPrice(event)) return [];
    const earlier = events.filter(({ version }) => version < event.version);
    const before = stateAfter(subscriptionDecider, earlier);
    return letterFor(event, { events, now, before, at }, 'https://tapedeck.example') ?? [];
  });
};
const subjects = (...args: Parameters<typeof letters>): readonly string[] =>
  letters(...args).map(({ content }) => content.subject);

const changes = 'The price of Tapedeck Pro (monthly) changes on Mar 1, 2026';
const kept = 'The price of Tapedeck Pro (monthly) stays as it is';

describe('the mail about a new price', () => {
  it('says both prices, from when, and how to cancel before, to the present address of the owner', () => {
    const [letter] = letters(day('01-10'), bought, notice());
    expect(letter?.address).toMatchObject({ of: 'buyer', accountId: ann });
    expect(letter?.content).toMatchObject({
      subject: changes,
      facts: [
        ['Plan', 'Tapedeck Pro (monthly)'],
        ['Price today', '$9.99 a month'],
        ['New price', '$14.99 a month'],
        ['From', 'Mar 1, 2026'],
      ],
      button: { url: 'https://tapedeck.example/?section=my-account' },
    });
    expect(letter?.content.paragraphs.join(' ')).toContain(
      'press "Cancel subscription" in My Account before Mar 1, 2026',
    );
  });

  it.each<readonly [string, string, readonly SubscriptionCommand[]]>([
    ['it was withdrawn before it was sent', day('01-21'), [withdraw, observed({ cancelAtPeriodEnd: true })]],
    ['it is sent after the renewal', day('03-01'), []],
    ['the subscription is cancelled', day('01-16'), [observed({ cancelAtPeriodEnd: true })]],
    ['the plan was changed', day('01-16'), [observed({ plan: elite, amount: 1_999 })]],
    ['the plan will change', day('01-16'), [observed({ scheduledPlan: { ...elite, at: day('02-01') } })]],
    [
      'the account was deleted',
      day('01-16'),
      [{ type: 'CloseAccount', accountId: ann, isLate: false, now: day('01-15') }],
    ],
  ])('is not sent when %s', (_, at, later) => {
    expect(subjects(at, bought, notice(), ...later)).toEqual([]);
  });

  it('is followed by one about its withdrawal, for an owner whom it concerns still', () => {
    expect(subjects(day('01-20'), bought, notice(), withdraw)).toEqual([kept]);
    expect(letters(day('01-20'), bought, notice(), withdraw)[0]?.content.paragraphs[0]).toBe(
      'We wrote to you that Tapedeck Pro (monthly) costs $14.99 a month from Mar 1, 2026 on. That is withdrawn: you continue to pay $9.99 a month.',
    );
    const moved = observed({ plan: elite, amount: 1_999 });
    expect(subjects(day('01-20'), bought, notice(), moved, withdraw)).toEqual([]);
  });
});

describe('the notice of a renewal by the year', () => {
  it('names the announced price', () => {
    const plan = { tier: 'Pro', period: 'annual' } as const;
    const year = [day('01-01'), day('12-31')] as const;
    const payments = [paidInvoice('in_1', year, { plan, reason: 'subscription_create' })];
    const annual = { plan, amount: 7_499, periodEnd: day('12-31') };
    const commands: readonly SubscriptionCommand[] = [
      record(snapshot('active', annual, { payments }), { ...byAnn, plan }),
      { type: 'NoticePrice', announcement: { ...announcement, plan, amount: 8_999 }, now: day('01-10') },
      {
        type: 'NoticeRenewal',
        subscriptionId: 'sub_1',
        invoiceId: 'in_1',
        days: 30,
        renewsAt: day('12-31'),
      },
    ];
    expect(letters(day('12-01'), ...commands).at(-1)?.content.paragraphs[0]).toContain(
      '$89.99 will be charged on Dec 31, 2026.',
    );
  });
});
